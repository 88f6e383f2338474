/** Numbers of §9 that only the portal needs, and ours beside them (docs/not-shown.md). What the server must agree on is in the contract. */

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Session. §4, §9 */
export const REFRESH_BEFORE_EXPIRY_MS = 10 * minute
export const EXPIRING_SOON_MS = 5 * minute
export const REFRESH_RETRIES_MAXIMUM = 3
/** Two refreshes are never nearer than this, whatever the clock says. Ruling 5 */
export const REFRESH_FLOOR_MS = 30 * second
/** After a refresh that failed, doubled each time and made uneven. Ruling 44 */
export const REFRESH_WAIT_MINIMUM_MS = second
export const REFRESH_WAIT_MAXIMUM_MS = 5 * minute
/** A tab that waits this long for another tab's refresh goes on without it. Ruling 4 */
export const REFRESH_LOCK_DEADLINE_MS = 20 * second
/** What one tab stores, the others read after this. Ruling 4 */
export const STORAGE_SPREADS_MS = 200
/** The challenge, the e-mail and the onboarding data outlive the app by this much. Ruling 9 */
export const SIGN_IN_KEPT_MS = day

/** Reads. §7, §9; ruling 19 */
export const CACHE_KEPT_MS = minute
export const STORED_READS_KEPT_MS = 14 * day
export const STORED_READS_STALE_MS = minute

/** Calls and reachability. Ruling 23 */
export const CALL_TIMEOUT_MS = 20 * second
export const PROBE_TIMEOUT_MS = 3 * second
export const PROBE_WEAK_MS = 1500
export const PROBE_RETRY_MAXIMUM_MS = 10 * second
/** A part of the app that could not be had is asked for again when the API can be reached, and this often. */
export const LOAD_AGAIN_MS = 30 * second
export const CONNECTION_STRIP_DELAY_MS = 2 * second

/** Toasts. §9 */
export const TOAST_MS = 5 * second
export const TOAST_REMOVE_DELAY_MS = 1_000_000
export const TOAST_SWIPE_PX = 50

/** Layout. §9 */
export const MOBILE_BREAKPOINT_PX = 768
export const SIDEBAR_COOKIE = 'sidebar:state'
/** Narrower than this, a tablet held upright, the sidebar begins as its signs: a squad's table needs the room. docs/not-shown.md#C30 */
export const SIDEBAR_EXPANDED_PX = 1024
export const SIDEBAR_COOKIE_SECONDS = (7 * day) / second
export const SIDEBAR_KEY = 'b'

/** Rows of the token table that are asked for before all others: five pages of it. */
export const TOKEN_ROWS_FIRST = 50

/** Page numbers shown at once below a table. §2 Token management */
export const PAGE_NUMBERS_MAXIMUM = 3

/** Tables: width of a column unless told, and the least it may have. §9 */
export const COLUMN_PX = 150
export const COLUMN_MINIMUM_PX = 20
/** A browser lets a page rewrite its URL only so often: a search stands in it once the typing rests. */
export const TEAM_SEARCH_SETTLES_MS = 300
/** Arrow keys go through a row's choices one by one: the one they rest on is saved. */
export const TEAM_CHOICE_SETTLES_MS = 1000
/** The announcer's words stay for so long. */
export const ANNOUNCED_MS = 5000

/** Avatar initials. §9 */
export const INITIALS_MAXIMUM = 2

/** Photo: round, 1:1, zoom 1 to 3, full JPEG quality, upload progress markers. §5, §9 */
export const PHOTO_ASPECT = 1
export const PHOTO_ZOOM_MINIMUM = 1
export const PHOTO_ZOOM_MAXIMUM = 3
export const PHOTO_JPEG_QUALITY = 1
export const PHOTO_PROGRESS = [10, 50, 100] as const
/** What a photo of many megapixels is brought down to before it is cropped, and what one sees of it meanwhile. */
export const PHOTO_WORKING_SIDE_PX = 3072
export const PHOTO_PREVIEW_SIDE_PX = 1280
/** A file on a bad line. */
export const PHOTO_UPLOAD_TIMEOUT_MS = 2 * minute

/** The worker is asked for an update this often. Ruling 22 */
export const UPDATE_CHECK_MS = hour
/** An accepted update that never takes over reloads anyway. Ruling 22 */
export const UPDATE_FALLBACK_MS = 5 * second

/** Items on one screen wider than a phone's. A section of the product's own content fits; of a thousand the browser would have to keep track at every tap. */
export const ITEMS_PER_SCREEN = 60

/** Answers. Design.md 5: sent this long after a tap, and again this often while anything waits */
export const SEND_AFTER_ANSWER_MS = second
export const SEND_AGAIN_MS = 30 * second
/** A tab that waits this long for another tab's sending takes over; an operation sent twice is one. Ruling 11 */
export const SEND_LOCK_DEADLINE_MS = 30 * second
/** Who signs out before the part of the app that knows what waits has come, waits this long for it. Ruling 6 */
export const PRIVATE_STORE_PATIENCE_MS = 5 * second
/** The first paint waits this long for what the device holds of a screen before it shows that it is loading. */
export const PREPARE_PATIENCE_MS = 300
/** The service worker's files give way to the device's own start, at most this long. */
export const WORKER_AT_LATEST_MS = 2 * second
/** What the first screen does not need comes when the browser has nothing to draw, and at the latest after this; where it cannot say, a moment later. */
export const IDLE_AT_LATEST_MS = 500
export const IDLE_GUESS_MS = 100
