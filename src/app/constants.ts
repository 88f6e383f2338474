/** Numbers that only the portal needs; the ids are those of docs/requirements.md. What the server must agree on is in the contract. */

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Session. SESSION-5 to SESSION-8 */
export const REFRESH_BEFORE_EXPIRY_MS = 10 * minute
export const EXPIRING_SOON_MS = 5 * minute
export const REFRESH_RETRIES_MAXIMUM = 3
/** Two refreshes are never nearer than this, whatever the clock says. SESSION-12 */
export const REFRESH_FLOOR_MS = 30 * second
/** After a refresh that failed, doubled each time and made uneven. SESSION-10 */
export const REFRESH_WAITS = { first: second, longest: 5 * minute }
/** A tab that waits this long for another tab's refresh goes on without it. SESSION-12 */
export const REFRESH_LOCK_DEADLINE_MS = 20 * second
/** What one tab stores, the others read after this. SESSION-12 */
export const STORAGE_SPREADS_MS = 200
/** The challenge, the e-mail and the onboarding data outlive the app by this much. LOGIN-16 */
export const SIGN_IN_MAX_AGE_MS = day

/** Reads in memory and on the device. OFFLINE-3, OFFLINE-4 */
export const CACHE_TIME_MS = minute
export const STORED_READS_MAX_AGE_MS = 14 * day
export const STORED_READS_STALE_MS = minute

/** The coach's dashboard is read again when it comes to the front, at most this often. HOME-19 */
export const READ_AGAIN_AT_FRONT_MS = 10 * second
/** While a list of players is on its way, the figures behind it are read again this often. */
export const READ_AGAIN_IN_RUN_MS = 10 * second
/** So far an installed app is pulled down until it reads again. */
export const PULL_PX = 80

/** Calls and reachability. OFFLINE-1 */
export const CALL_TIMEOUT_MS = 20 * second
export const PROBE_TIMEOUT_MS = 3 * second
export const PROBE_WEAK_MS = 1500
/** Asked again soon while it may be a tunnel, and seldom once it is more: the browser tells of a connection by itself. */
export const PROBE_WAITS = { first: second, longest: 10 * second }
export const PROBE_SELDOM_AFTER = 12
export const PROBE_SELDOM_WAITS = { first: 45 * second, longest: 45 * second }
/** A reply that is not the API's, a captive portal's page say, leads to a probe at most this often. */
export const PROBE_AFTER_ODD_REPLY_MS = 30 * second
/** What a portal or a proxy may ask for by `Retry-After`; the server itself is waited for as long as it says. */
export const FOREIGN_WAIT_MAXIMUM_MS = 5 * minute
/** A server that comes and goes: what waits is tried at once when it is back, but no more often than this. */
export const TRY_ON_RETURN_MS = 30 * second
/** So many returns in a row are a tunnel or two. */
export const RETURNS_AT_ONCE = 5
/** A part of the app, or a questionnaire, that could not be had is asked for again when the API can be reached, and this often. */
export const LOAD_AGAIN_MS = 30 * second
/** The page is reloaded for a file that is missing, and then not again so soon. Key in session storage: when it was. INSTALL-3 */
export const RELOADED_KEY = 'reloadedForChunkAt'
export const RELOAD_AGAIN_MS = minute
export const CONNECTION_STRIP_DELAY_MS = 2 * second

/** A read that failed is asked twice more at once, waiting for the server at most this long, and by itself later while its screen is seen. */
export const READ_WAITS = { first: second, longest: 30 * second }
export const READ_AGAIN_WAITS = { first: 5 * second, longest: minute }

/** Toasts. SHELL-12 */
export const TOAST_MS = 5 * second
export const TOAST_REMOVE_DELAY_MS = 1_000_000
export const TOAST_SWIPE_PX = 50

/** SHELL-14 */
export const TOOLTIP_DELAY_MS = 700

/** Layout. SHELL-9, SHELL-7 */
export const MOBILE_BREAKPOINT_PX = 768
export const SIDEBAR_COOKIE = 'sidebar:state'
/** Narrower than this, a tablet held upright, the sidebar begins as its signs: a squad's table needs the room. SHELL-7 */
export const SIDEBAR_EXPANDED_PX = 1024
export const SIDEBAR_COOKIE_SECONDS = (7 * day) / second
export const SIDEBAR_KEY = 'b'

/** Rows of the token table that are asked for before all others: five pages of it. */
export const TOKEN_ROWS_FIRST = 50

/** Page numbers shown at once below a table. TOKENS-17 */
export const PAGE_NUMBERS_MAXIMUM = 3

/** Tables: width of a column unless told, and the least it may have. SHELL-16 */
export const COLUMN_PX = 150
export const COLUMN_MINIMUM_PX = 20
/** A browser lets a page rewrite its URL only so often: a search stands in it once the typing rests. */
export const TEAM_SEARCH_SETTLES_MS = 300
/** Arrow keys go through a row's choices one by one: the one they rest on is saved. */
export const TEAM_CHOICE_SETTLES_MS = 1000
/** A list of choices says its length once the typing rests. */
export const LIST_COUNT_SETTLES_MS = 700
/** The announcer's words stay for so long. */
export const ANNOUNCED_MS = 5000

/** Letters of an avatar without a picture. PROFILE-33 */
export const INITIALS_MAXIMUM = 2

/** Photo: round, 1:1, zoom 1 to 3, full JPEG quality, upload progress markers. PROFILE-34, PROFILE-35 */
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

/** The worker is asked for an update this often. INSTALL-2 */
export const UPDATE_CHECK_MS = hour
/** And this often while the API refuses this version. */
export const UPDATE_REQUIRED_CHECK_MS = 5 * minute
/** An accepted update that never takes over reloads anyway. INSTALL-2 */
export const UPDATE_FALLBACK_MS = 5 * second

/** Items on one screen wider than a phone's. A section of the product's own content fits; of a thousand the browser would have to keep track at every tap. */
export const ITEMS_PER_SCREEN = 60

/** A single choice made by touch or mouse advances to the next question after this. docs/decisions/0036 */
export const AUTO_ADVANCE_MS = 300
/** For so long after that the choices ignore taps: it would be the second half of a double tap, on a question nobody has read. */
export const TAPS_IGNORED_MS = 300
/** So soon after it was chosen, a tap on the same choice belongs to a double tap and does not clear it. */
export const DOUBLE_TAP_MS = 500
/** A tap on the number that has just filled itself in confirms it: whoever was on the way there meant to give it. */
export const FILLED_CONFIRMS_MS = second

/** Answers are sent this long after a tap, and again this often while anything waits. ANSWERS-8 */
export const SEND_AFTER_ANSWER_MS = second
export const SEND_AGAIN_MS = 30 * second
/** After a save that the server did not judge, doubled each time. */
export const SEND_WAITS = { first: 20 * second, longest: 2 * minute }
/** Answers that cannot be sent for so long, although the server can be reached, are said to be so. */
export const SEND_TROUBLE_SAID_MS = 2 * minute
/** Pages with answers that are on no disk are given this long to send them before somebody signs out. SESSION-17 */
export const SEND_UNWRITTEN_TIMEOUT_MS = 10 * second
/** A tab that waits this long for another tab's sending takes over; an operation sent twice is one. ANSWERS-8 */
export const SEND_LOCK_DEADLINE_MS = 30 * second
/** What is needed without a signal is fetched this long after the screen, whose own reads go first. docs/decisions/0033 */
export const PREPARE_AFTER_MS = 1500
/** After each round that left something missing. */
export const PREPARE_AGAIN_WAITS = { first: 30 * second, longest: 10 * minute }
/** It is said to be going on once it takes longer than this. */
export const PREPARE_SAID_AFTER_MS = 2 * second
/** Who signs out before the part of the app that knows what waits has come, waits this long for it. SESSION-17 */
export const PRIVATE_STORE_TIMEOUT_MS = 5 * second
/** The first paint waits this long for what the device holds of a screen before it shows that it is loading. */
export const PREPARE_TIMEOUT_MS = 300
/** The service worker's files give way to the device's own start, at most this long. */
export const WORKER_AT_LATEST_MS = 2 * second
/** What the first screen does not need comes when the browser has nothing to draw, and at the latest after this; where it cannot say, a moment later. */
export const IDLE_AT_LATEST_MS = 500
export const IDLE_GUESS_MS = 100
