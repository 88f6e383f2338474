/** Values that portal and server must agree on, with their ids in docs/requirements.md. */

/** Digits of a one-time code. LOGIN-13 */
export const ONE_TIME_CODE_LENGTH = 8
/** Seconds between two code mails for one sign-in. LOGIN-15 */
export const CODE_RESEND_SECONDS = 60
/** From this wait on the words for TOO_MANY_REQUESTS say how long it is; the shorter ones say "a moment". */
export const LONG_WAIT_SECONDS = 120
/** Minutes until a one-time code expires. LOGIN-13 */
export const CODE_MINUTES = 10

/** People whose `deviceSecret` one device stores: a whole squad may share a tablet at training. LOGIN-18 */
export const DEVICE_SECRETS_MAXIMUM = 20

/** Days during which a closed account can be reopened; after that, everything personal is erased. PROFILE-42 */
export const REOPEN_DAYS = 30

/** Assessments on the first page of the list. ASSIGN-1 */
export const ASSESSMENT_PAGE_SIZE = 10
/** Rows per page of any other list or table. API-41 */
export const PAGE_SIZE = 10

/** Reminders, which are invitations sent again, for one instance. MAIL-4 */
export const REMINDERS_MAXIMUM = 5
/** Assessments one coach may allocate in 24 hours. SECURITY-13 */
export const ALLOCATIONS_PER_DAY = 500
/** How many of these may have been reclaimed before the player opened them: 3 for each of the coach's tokens, plus 10. Decision 0026 */
export const RECLAIMED_UNOPENED_PER_TOKEN = 3
export const RECLAIMED_UNOPENED_ALLOWANCE = 10

/** Token count stepper. TOKENS-3 */
export const TOKEN_COUNT_MINIMUM = 1
export const TOKEN_COUNT_MAXIMUM = 100
export const TOKEN_COUNT_DEFAULT = 1
/** Bulk discount if the provider has no promotion: this percentage off from this many tokens. TOKENS-8 */
export const BULK_THRESHOLD_DEFAULT = 12
export const BULK_PERCENT_DEFAULT = 20

/** Checkout currency if there is no price list. BUY-10 */
export const CURRENCY_DEFAULT = 'USD'

/** Years of birth to choose from, counted back from the current year. PROFILE-18 */
export const BIRTH_YEARS = 100

/** Profile pictures: the largest upload in bytes and pixels, and the longest side of the stored picture. PROFILE-40 */
export const PICTURE_BYTES_MAXIMUM = 8 * 1024 * 1024
export const PICTURE_PIXELS_MAXIMUM = 25_000_000
export const PICTURE_SIDE_MAXIMUM_PX = 1024

/** The only sport. PROFILE-21 */
export const SPORT = { id: 'soccer', name: 'Soccer' } as const
/** Offered if a sport has no positions. PROFILE-31 */
export const POSITION_FALLBACK = { id: 'defence-left', name: 'Defence - Left' } as const

export const PLAYER_TYPES = ['CURRENT', 'POTENTIAL'] as const
export const PLAYER_TYPE_DEFAULT = 'POTENTIAL'
/** Positions offered in the team table. TEAM-5 */
export const TABLE_POSITIONS = ['Forward', 'Midfielder', 'Defender', 'Goalkeeper', 'Winger', 'Striker', 'Center Back', 'Full Back'] as const

/** Answers in one save. INPUT-47 */
export const RESPONSES_MAXIMUM = 1000

/** The largest revision (the database stores 32-bit integers) and the largest price in cents (the card provider charges no more). */
export const REVISION_MAXIMUM = 2_147_483_647
export const PRICE_MAXIMUM = 99_999_999

/** Raised when older portals can no longer use this API. The portal sends it, and the server refuses older ones with 426. */
export const APP_VERSION = 1
export const APP_VERSION_HEADER = 'x-touchline-app'

/** Random, and the same for a repeat of the request, which gets the first reply: `isRepliedOnce` in endpoint.ts. */
export const IDEMPOTENCY_HEADER = 'idempotency-key'
