/** Every URL of the portal is built here (SHELL-1); `routes.tsx` says which screen answers it. */

const part = encodeURIComponent

export const paths = {
  home: () => '/',
  profile: () => '/profile',
  about: () => '/about',
  /** its part on what a result is and is not */
  limits: () => '/about#limits',

  login: () => '/auth/login',
  otp: () => '/auth/otp',
  onboard: () => '/auth/onboard',

  checkout: (assessmentId: string) => `/checkout/${part(assessmentId)}`,
  payment: (assessmentId: string) => `/checkout/${part(assessmentId)}/payment`,
  coachConfirmDetails: () => '/checkout/coach/confirm-details',
  /** with the count chosen before, when one comes back to change it */
  purchaseToken: (count?: number) => `/checkout/purchase-token${count === undefined ? '' : `?count=${count}`}`,
  purchaseTokenPayment: (count: number) => `/checkout/purchase-token/payment?count=${count}`,

  confirmDetails: (instanceId: string) => `/assessment/${part(instanceId)}/confirm-details`,
  brief: (instanceId: string) => `/assessment/${part(instanceId)}/brief`,
  test: (instanceId: string) => `/assessment/${part(instanceId)}/test`,
  results: (instanceId: string) => `/assessment/${part(instanceId)}/results`,

  directPurchaseReturn: (sessionId: string) => `/stripe/direct-purchase/return?session_id=${part(sessionId)}`,
  tokenPurchaseReturn: (sessionId: string) => `/stripe/token-purchase/return?session_id=${part(sessionId)}`,
  tokenPurchaseSuccessful: () => '/token-purchase/successful',

  stopInvitations: (token: string) => `/invitations/stop?token=${part(token)}`,
} as const
