/** Numbers of §9 that both ends must agree on, and ours beside them (docs/not-shown.md). */

/** Digits of a one-time code. §5, §9 */
export const ONE_TIME_CODE_LENGTH = 8
/** Seconds between two codes for one sign-in. Ruling 8 */
export const RESEND_SECONDS = 60
/** Minutes a one-time code lives. Ruling 8 */
export const CODE_MINUTES = 10

/** Assessment list: first page, this many. §9 */
export const ASSESSMENT_PAGE_SIZE = 10

/** Token count stepper. §5, §9 */
export const TOKEN_COUNT_MINIMUM = 1
export const TOKEN_COUNT_MAXIMUM = 100
export const TOKEN_COUNT_DEFAULT = 1
/** Bulk discount when the promotion is absent: from this many tokens, this percentage. §9 */
export const BULK_THRESHOLD_DEFAULT = 12
export const BULK_PERCENT_DEFAULT = 20

/** Checkout currency when there is no price list. §9 */
export const CURRENCY_DEFAULT = 'USD'

/** Year of birth: this many years back, starting from the current one. §9 */
export const BIRTH_YEARS = 100

/** Sport is fixed. §9 */
export const SPORT = { id: 'soccer', name: 'Soccer' } as const
/** Offered when a sport has no positions. §3 */
export const POSITION_FALLBACK = { id: 'defence-left', name: 'Defence - Left' } as const

export const PLAYER_TYPES = ['CURRENT', 'POTENTIAL'] as const
export const PLAYER_TYPE_DEFAULT = 'POTENTIAL'

/** The most answers one call may bring (promises §3, 47). */
export const RESPONSES_MAXIMUM = 1000

/** Raised when an older portal could no longer talk to this API; sent by the portal, checked by the server (426). */
export const APP_VERSION = 1
export const APP_VERSION_HEADER = 'x-touchline-app'
