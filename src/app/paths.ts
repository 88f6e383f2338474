import { screens } from '#contract/screens.ts'

/** Every link within the portal is built here, from the screens' own paths. SHELL-1 */

function filled({ path }: { path: string }, parameter: string): string {
  return path.replace(/:\w+/, () => encodeURIComponent(parameter))
}

export const paths = {
  home: () => screens.home.path,
  profile: () => screens.profile.path,
  about: () => screens.about.path,
  device: () => screens.device.path,
  answersFile: () => screens.answersFile.path,
  /** what a result is and is not */
  limits: () => screens.aboutResults.path,

  login: () => screens.login.path,
  otp: () => screens.otp.path,
  onboard: () => screens.onboard.path,

  checkout: (assessmentId: string) => filled(screens.checkout, assessmentId),
  payment: (assessmentId: string) => filled(screens.payment, assessmentId),
  coachConfirmDetails: () => screens.coachConfirmDetails.path,
  /** with the count chosen before, when one comes back to change it */
  purchaseToken: (count?: number) => screens.purchaseToken.path + (count === undefined ? '' : `?count=${count}`),
  purchaseTokenPayment: (count: number) => `${screens.purchaseTokenPayment.path}?count=${count}`,

  continue: () => screens.continue.path,
  confirmDetails: (instanceId: string) => filled(screens.confirmDetails, instanceId),
  brief: (instanceId: string) => filled(screens.brief, instanceId),
  test: (instanceId: string) => filled(screens.test, instanceId),
  results: (instanceId: string) => filled(screens.results, instanceId),
  coachReport: (instanceId: string) => filled(screens.coachReport, instanceId),

  directPurchaseReturn: (sessionId: string) => `${screens.directPurchaseReturn.path}?session_id=${encodeURIComponent(sessionId)}`,
  tokenPurchaseReturn: (sessionId: string) => `${screens.tokenPurchaseReturn.path}?session_id=${encodeURIComponent(sessionId)}`,
  tokenPurchaseSuccessful: () => screens.tokenPurchaseSuccessful.path,

  operator: () => screens.operator.path,
  stopInvitations: (token: string) => `${screens.stopInvitations.path}?token=${encodeURIComponent(token)}`,
} as const
