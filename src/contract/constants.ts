/** Numbers that both ends must agree on; the ids are those of docs/requirements.md. */

/** Digits of a one-time code. LOGIN-13 */
export const ONE_TIME_CODE_LENGTH = 8
/** Seconds between two codes for one sign-in. LOGIN-15 */
export const RESEND_SECONDS = 60
/** Minutes a one-time code lives. LOGIN-13 */
export const CODE_MINUTES = 10

/** People whose sign-ins one device remembers to have made: a tablet at training is a squad's. LOGIN-18 */
export const DEVICES_MAXIMUM = 20

/** Days in which a closed account can be opened again; then everything personal is erased. PROFILE-42 */
export const REOPEN_DAYS = 30

/** Assessment list: first page, this many. ASSIGN-1 */
export const ASSESSMENT_PAGE_SIZE = 10
/** Rows of any other list or table that comes in pages. API-41 */
export const PAGE_SIZE = 10

/** Reminders after the first invitation, for one instance. MAIL-4 */
export const RESENDS_MAXIMUM = 5
/** Assessments one coach may give away in 24 hours. SECURITY-13 */
export const ALLOCATIONS_PER_DAY = 500
/** Of these, those that are taken back before anybody looked: so many for each token, and some. Decision 0026 */
export const TAKEN_BACK_PER_TOKEN = 3
export const TAKEN_BACK_ANYWAY = 10

/** Token count stepper. TOKENS-3 */
export const TOKEN_COUNT_MINIMUM = 1
export const TOKEN_COUNT_MAXIMUM = 100
export const TOKEN_COUNT_DEFAULT = 1
/** Bulk discount when the promotion is absent: from this many tokens, this percentage. TOKENS-8 */
export const BULK_THRESHOLD_DEFAULT = 12
export const BULK_PERCENT_DEFAULT = 20

/** Checkout currency when there is no price list. BUY-10 */
export const CURRENCY_DEFAULT = 'USD'

/** Year of birth: this many years back, starting from the current one. PROFILE-18 */
export const BIRTH_YEARS = 100

/** Profile pictures: what may be uploaded, and the longest side of what is stored. PROFILE-40 */
export const PICTURE_BYTES_MAXIMUM = 8 * 1024 * 1024
export const PICTURE_PIXELS_MAXIMUM = 25_000_000
export const PICTURE_SIDE_MAXIMUM_PX = 1024

/** Sport is fixed. PROFILE-21 */
export const SPORT = { id: 'soccer', name: 'Soccer' } as const
/** Offered when a sport has no positions. PROFILE-31 */
export const POSITION_FALLBACK = { id: 'defence-left', name: 'Defence - Left' } as const

export const PLAYER_TYPES = ['CURRENT', 'POTENTIAL'] as const
export const PLAYER_TYPE_DEFAULT = 'POTENTIAL'
/** Positions offered in the team table. TEAM-5 */
export const TABLE_POSITIONS = ['Forward', 'Midfielder', 'Defender', 'Goalkeeper', 'Winger', 'Striker', 'Center Back', 'Full Back'] as const

/** The most answers one call may bring (INPUT-47). */
export const RESPONSES_MAXIMUM = 1000

/** The largest number of a revision or a price in cents: what the database counts with, and what the card provider charges. */
export const REVISION_MAXIMUM = 2_147_483_647
export const PRICE_MAXIMUM = 99_999_999

/** Raised when an older portal could no longer talk to this API; sent by the portal, checked by the server (426). */
export const APP_VERSION = 1
export const APP_VERSION_HEADER = 'x-touchline-app'
