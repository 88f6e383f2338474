/**
 * The portal's screens, each with its URL: the one list of them. From it come the portal's routes and links, the deep links
 * that the server knows, the links in mails and of the card provider, and what the script in the page asks for early. SHELL-1
 */

/** Around a screen: nothing but the brand · the same for signed-in people · the sidebar. */
export type Frame = 'public' | 'focus' | 'shell'

export interface Screen {
  path: string
  frame: Frame
  /** the folders that it is composed of beside its own: their words are loaded with its own */
  rooms?: readonly string[]
  /** draws with MUI's components: comes inside the theme, 31 KB more */
  hasMui?: true
  /** does without the query library, 11 KB less before its first paint */
  hasNoQueries?: true
  /** subscribes to a store of its own instead of the query library, and waits for what it prefetches */
  hasOwnStore?: true
  /** what the script in the page asks for before the app is there, as `call` will */
  prefetch?: readonly Prefetch[]
  /** prefetched only for accounts of this kind */
  prefetchFor?: 'player'
}

export interface Prefetch {
  /** below /api; `$parameter` is the path's, `$user` the id of who is signed in */
  get: string
  /** the same for everybody, so asked for without a token. OFFLINE-6 */
  isPublic?: true
}

/** First match wins. */
export const screens = {
  login: { path: '/auth/login', frame: 'public', hasNoQueries: true },
  otp: { path: '/auth/otp', frame: 'public', hasNoQueries: true },
  onboard: { path: '/auth/onboard', frame: 'public', hasMui: true },
  stopInvitations: { path: '/invitations/stop', frame: 'public', hasNoQueries: true },

  home: {
    path: '/',
    frame: 'shell',
    rooms: ['player', 'team', 'tokens'],
    prefetch: [
      { get: 'user/$user' },
      { get: 'assessment/assessment-instance?userId=$user' },
      { get: 'assessment?page=1&limit=10' },
      { get: 'settings', isPublic: true },
    ],
    prefetchFor: 'player',
  },
  profile: { path: '/profile', frame: 'shell', hasMui: true },
  about: { path: '/about', frame: 'shell' },

  coachConfirmDetails: { path: '/checkout/coach/confirm-details', frame: 'focus', hasMui: true },
  purchaseToken: { path: '/checkout/purchase-token', frame: 'focus' },
  purchaseTokenPayment: { path: '/checkout/purchase-token/payment', frame: 'focus' },
  checkout: { path: '/checkout/:assessmentId', frame: 'focus', hasMui: true },
  payment: { path: '/checkout/:assessmentId/payment', frame: 'focus' },

  confirmDetails: { path: '/assessment/:assessmentInstanceId/confirm-details', frame: 'focus', hasMui: true },
  brief: { path: '/assessment/:assessmentInstanceId/brief', frame: 'focus' },
  test: {
    path: '/assessment/:assessmentInstanceId/test',
    frame: 'focus',
    hasOwnStore: true,
    prefetch: [{ get: 'assessment/assessment-instance/$parameter?sections=none' }],
  },
  results: { path: '/assessment/:assessmentInstanceId/results', frame: 'focus' },

  directPurchaseReturn: { path: '/stripe/direct-purchase/return', frame: 'focus' },
  tokenPurchaseReturn: { path: '/stripe/token-purchase/return', frame: 'focus' },
  tokenPurchaseSuccessful: { path: '/token-purchase/successful', frame: 'focus' },
} as const satisfies Record<string, Screen>

export const everyScreen: readonly Screen[] = Object.values(screens)

/** Matches the addresses of a screen, without query and hash; its groups are the path's parameters. */
export function patternOf({ path }: Screen): RegExp {
  return new RegExp(`^${path.replace(/:\w+/g, '([^/]+)')}/?$`)
}

/** Below `src/app/screens`, without `.screen.tsx`: the first segment is the folder, the rest is joined by `-`, parameters are dropped. */
export function fileOf({ path }: Screen): string {
  const [folder = 'home', ...rest] = path.split('/').filter((segment) => segment !== '' && !segment.startsWith(':'))
  return `${folder}/${rest.join('-') || folder}`
}
