/**
 * All screens of the portal and their URLs. The portal's routes and links, the server's deep links, the links in mails, the card
 * provider's return URLs and the early requests of the script in the page are all derived from this list. SHELL-1
 */

/** What surrounds a screen. public: only the brand · focus: the same, for signed-in people · shell: the sidebar */
export type Frame = 'public' | 'focus' | 'shell'

export interface Screen {
  path: string
  frame: Frame
  /** other areas that it is composed of: their texts are loaded with its own */
  areas?: readonly string[]
  /** uses MUI's components, so it is wrapped in the theme: 31 KB more */
  hasMui?: true
  /** does not use the query library: 11 KB less before its first paint */
  hasNoQueries?: true
  /** subscribes to a store of its own instead of the query library, and waits for what it prefetches */
  hasOwnStore?: true
  /** the reads that the script in the page requests before the app has loaded, exactly as `call` would */
  prefetch?: readonly Prefetch[]
  /** prefetched only for accounts of this kind */
  prefetchFor?: 'player'
}

export interface Prefetch {
  /** relative to /api/; `$parameter` stands for the path's parameter, `$user` for the id of the signed-in user */
  get: string
  /** the same for everybody, so requested without a token. OFFLINE-6 */
  isPublic?: true
}

/** The first one whose path matches is shown. */
export const screens = {
  login: { path: '/auth/login', frame: 'public', hasNoQueries: true },
  otp: { path: '/auth/otp', frame: 'public', hasNoQueries: true },
  onboard: { path: '/auth/onboard', frame: 'public', areas: ['details', 'fields'], hasMui: true },
  aboutResults: { path: '/about/results', frame: 'public', hasNoQueries: true },
  stopInvitations: { path: '/invitations/stop', frame: 'public', hasNoQueries: true },
  answersFile: { path: '/answers-file', frame: 'public', hasNoQueries: true },
  operator: { path: '/operator', frame: 'public', hasNoQueries: true },

  home: {
    path: '/',
    frame: 'shell',
    areas: ['player', 'team', 'tokens'],
    prefetch: [
      { get: 'user/$user' },
      { get: 'assessment/assessment-instance?userId=$user' },
      { get: 'assessment?page=1&limit=10' },
      { get: 'settings', isPublic: true },
    ],
    prefetchFor: 'player',
  },
  profile: { path: '/profile', frame: 'shell', areas: ['details', 'fields'], hasMui: true },
  about: { path: '/about', frame: 'shell' },
  device: { path: '/device', frame: 'shell', areas: ['player', 'install'] },

  coachConfirmDetails: { path: '/checkout/coach/confirm-details', frame: 'focus', areas: ['details', 'fields'], hasMui: true },
  purchaseToken: { path: '/checkout/purchase-token', frame: 'focus' },
  purchaseTokenPayment: { path: '/checkout/purchase-token/payment', frame: 'focus' },
  checkout: { path: '/checkout/:assessmentId', frame: 'focus', areas: ['details', 'fields'], hasMui: true },
  payment: { path: '/checkout/:assessmentId/payment', frame: 'focus' },

  // the first shortcut of the installed app
  continue: { path: '/assessment/continue', frame: 'focus', hasNoQueries: true },
  confirmDetails: { path: '/assessment/:assessmentInstanceId/confirm-details', frame: 'focus', areas: ['details', 'fields'], hasMui: true },
  brief: { path: '/assessment/:assessmentInstanceId/brief', frame: 'focus', areas: ['brief'] },
  test: {
    path: '/assessment/:assessmentInstanceId/test',
    frame: 'focus',
    hasOwnStore: true,
    prefetch: [{ get: 'assessment/assessment-instance/$parameter?sections=none' }],
  },
  results: { path: '/assessment/:assessmentInstanceId/results', frame: 'focus', areas: ['results'] },
  coachReport: { path: '/team/:assessmentInstanceId/report', frame: 'focus' },

  directPurchaseReturn: { path: '/stripe/direct-purchase/return', frame: 'focus' },
  tokenPurchaseReturn: { path: '/stripe/token-purchase/return', frame: 'focus' },
  tokenPurchaseSuccessful: { path: '/token-purchase/successful', frame: 'focus' },
} as const satisfies Record<string, Screen>

export const everyScreen: readonly Screen[] = Object.values(screens)

/** Matches a screen's URL paths, without query and hash; its groups are the path's parameters. */
export function patternOf({ path }: Screen): RegExp {
  return new RegExp(`^${path.replace(/:\w+/g, '([^/]+)')}/?$`)
}

/**
 * The file of a screen, relative to `src/app/screens` and without `.screen.tsx`: the first segment is the folder, the rest is joined by
 * `-`, and parameters are dropped.
 */
export function fileOf({ path }: Screen): string {
  const [folder = 'home', ...rest] = path.split('/').filter((segment) => segment !== '' && !segment.startsWith(':'))
  return `${folder}/${rest.join('-') || folder}`
}
