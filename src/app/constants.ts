/** Numbers that only the portal needs; the ids are those of docs/requirements.md. What the server must agree on is in the contract. */

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Local storage key: whether installing the app is to be suggested, or was refused. Stays after a sign-out. INSTALL-9 */
export const INSTALL_KEY = 'install'

/** Session. SESSION-5 to SESSION-8 */
export const REFRESH_BEFORE_EXPIRY_MS = 10 * minute
export const EXPIRING_SOON_MS = 5 * minute
export const REFRESH_RETRIES_MAXIMUM = 3
/** The least time between two refreshes, even if the device's clock was changed. SESSION-12 */
export const REFRESH_FLOOR_MS = 30 * second
/** Waits after a failed refresh: doubled each time, with jitter. SESSION-10 */
export const REFRESH_WAITS = { first: second, longest: 5 * minute }
/** A tab that waits this long for another tab's refresh continues without it. SESSION-12 */
export const REFRESH_LOCK_DEADLINE_MS = 20 * second
/** How long another tab's write to local storage may take to be readable here. SESSION-12 */
export const STORAGE_SPREADS_MS = 200
/** How long a new page waits for the page it replaces to release its drafts; a duplicated tab waits this long too. */
export const LEFT_PAGE_MS = second
/** How often a tab checks whether another tab has released a lock. */
export const LOCK_POLL_MS = 500
/** The challenge, the e-mail and the onboarding data outlive the app by this much. LOGIN-16 */
export const SIGN_IN_MAX_AGE_MS = day
/** They also survive a correction of the device's clock. SESSION-15 */
export const CLOCK_SET_BACK_MS = 3 * hour

/** Reads in memory and on the device. OFFLINE-3, OFFLINE-4 */
export const CACHE_TIME_MS = minute
export const STORED_READS_MAX_AGE_MS = 14 * day
export const STORED_READS_STALE_MS = minute

/** The coach's dashboard is refreshed when it comes to the front, at most this often. HOME-19 */
export const REFRESH_AT_FRONT_MS = 10 * second
/** While assessments are being sent to a list of players, the dashboard is refreshed this often. */
export const REFRESH_IN_RUN_MS = 10 * second
/** An installed app refreshes once it is pulled down this far. */
export const PULL_PX = 80

/** Calls and reachability. OFFLINE-1 */
export const CALL_TIMEOUT_MS = 20 * second
export const PROBE_TIMEOUT_MS = 3 * second
export const PROBE_WEAK_MS = 1500
/** Waits between probes: short at first, for a tunnel; long after PROBE_SELDOM_AFTER probes, as the browser reports a new connection itself. */
export const PROBE_WAITS = { first: second, longest: 10 * second }
export const PROBE_SELDOM_AFTER = 12
export const PROBE_SELDOM_WAITS = { first: 45 * second, longest: 45 * second }
/** A reply that is not the API's (a captive portal's page, for example) leads to a probe at most this often. */
export const PROBE_AFTER_ODD_REPLY_MS = 30 * second
/** The longest `Retry-After` accepted from a captive portal or proxy; the server's own has no limit. */
export const FOREIGN_WAIT_MAXIMUM_MS = 5 * minute
/** How long it is remembered that a reply was lost: the list has shown by then what became of it. ASSIGN-17 */
export const LOST_REPLY_KEPT_MS = day
/** When the server is reachable again, waiting work is tried at once, but no more often than this if it comes and goes. */
export const TRY_ON_RETURN_MS = 30 * second
/** This many reconnects in a row are tried at once (a tunnel or two); after that TRY_ON_RETURN_MS applies. */
export const RETURNS_AT_ONCE = 5
/** A part of the app, or a questionnaire, that failed to load is requested again when the API can be reached, and this often. */
export const LOAD_AGAIN_MS = 30 * second
/** A missing file reloads the page, at most this often; the session storage key holds the time of the last reload. INSTALL-3 */
export const RELOADED_KEY = 'reloadedForPartAt'
/** The session storage key of the screen for which it did. */
export const RELOADED_FOR_KEY = 'reloadedForPath'
export const RELOAD_AGAIN_MS = minute
/** A part that has not arrived for this long is reported, and may be loaded anew. INSTALL-3 */
export const PART_SLOW_MS = 10 * second
/** One that no screen waits for, which may arrive late on a weak connection, may be loaded anew after this long. */
export const PART_STUCK_MS = 30 * second
/** The first screen is drawn by then, so that it can say what it is waiting for. */
export const FIRST_DRAW_TIMEOUT_MS = 5 * second
/** A screen does not wait longer for texts that it can go without. */
export const WORDS_AT_LATEST_MS = 5 * second
/** A toast whose component has not loaded by then is shown as plain text. */
export const TOAST_PLAIN_AFTER_MS = second
/** Another page that was asked for has replaced this one by then, unless it was called off. */
export const LEAVE_TIMEOUT_MS = 30 * second
export const CONNECTION_STRIP_DELAY_MS = 2 * second

/** A failed read is retried twice with READ_WAITS; after that with FAILED_READ_WAITS, while its screen is visible. */
export const READ_WAITS = { first: second, longest: 30 * second }
export const FAILED_READ_WAITS = { first: 5 * second, longest: minute }

/** The waits between tries to load texts. */
export const WORDS_RETRY_MS = [350, 700, 1400, 2800, 5600]

/** Toasts. SHELL-12 */
export const TOAST_MS = 5 * second
export const TOAST_REMOVE_DELAY_MS = 1_000_000
export const TOAST_SWIPE_PX = 50

/** SHELL-14 */
export const TOOLTIP_DELAY_MS = 700

/** Layout. SHELL-9, SHELL-7 */
export const MOBILE_BREAKPOINT_PX = 768
export const SIDEBAR_COOKIE = 'sidebar:state'
/** Below this width (a tablet held upright) the sidebar starts collapsed to its icons, to leave room for the team's table. SHELL-7 */
export const SIDEBAR_EXPANDED_PX = 1024
export const SIDEBAR_COOKIE_SECONDS = (7 * day) / second
export const SIDEBAR_KEY = 'b'

/** The first request of the token table: five pages of rows. */
export const TOKEN_ROWS_FIRST = 50

/** Page numbers shown at once below a table. TOKENS-17 */
export const PAGE_NUMBERS_MAXIMUM = 3

/** Tables: a column's default and minimum width. SHELL-16 */
export const COLUMN_PX = 150
export const COLUMN_MINIMUM_PX = 20
/** Browsers limit how often a page may rewrite its URL: a search is put into it this long after the last key. */
export const TEAM_SEARCH_SETTLES_MS = 300
/** Arrow keys step through a row's choices: a choice is saved after resting on it this long. */
export const TEAM_CHOICE_SETTLES_MS = 1000
/** A list of choices announces its length this long after the last key. */
export const LIST_COUNT_SETTLES_MS = 700
/** A change on screen is announced this long after it: Orca drops what is announced while a table changes. */
export const SCREEN_SETTLES_MS = 1000
/** How long an announcement stays in the live region. */
export const ANNOUNCED_MS = 5000

/** Letters of an avatar without a picture. PROFILE-33 */
export const INITIALS_MAXIMUM = 2

/** Photo: round, 1:1, zoom 1 to 3, full JPEG quality, upload progress markers. PROFILE-34, PROFILE-35 */
export const PHOTO_ASPECT = 1
export const PHOTO_ZOOM_MINIMUM = 1
export const PHOTO_ZOOM_MAXIMUM = 3
export const PHOTO_JPEG_QUALITY = 1
export const PHOTO_PROGRESS = [10, 50, 100] as const
/** Longest side to which a large photo is scaled before it is cropped, and of the preview. */
export const PHOTO_WORKING_SIDE_PX = 3072
export const PHOTO_PREVIEW_SIDE_PX = 1280
/** An upload of a photo may take this long: a large file on a slow connection. */
export const PHOTO_UPLOAD_TIMEOUT_MS = 2 * minute

/** The worker is asked for an update this often. INSTALL-2 */
export const UPDATE_CHECK_MS = hour
/** Between checks whether the API still refuses this version. */
export const TOO_OLD_WAITS = { first: minute, longest: 5 * minute }
/** How often the worker is updated while the API refuses this version. */
export const UPDATE_REQUIRED_CHECK_MS = 5 * minute
/** Waits before a worker is registered again that could not store its files; what it has stored stays. */
export const WORKER_WAITS = { first: LOAD_AGAIN_MS, longest: hour }
/** An accepted update that never takes over reloads anyway. INSTALL-2 */
export const UPDATE_FALLBACK_MS = 5 * second

/** Most items on one screen wider than a phone's: every section of the product's content fits, and a very long one stays fast to tap. */
export const ITEMS_PER_SCREEN = 60

/** A single choice made by touch or mouse advances to the next question after this. docs/decisions/0036 */
export const AUTO_ADVANCE_MS = 300
/** After such an advance the choices ignore taps this long: a tap would be the second half of a double tap, on an unread question. */
export const TAPS_IGNORED_MS = 300
/** Within this time after choosing, a tap on the same choice counts as a double tap and does not clear it. */
export const DOUBLE_TAP_MS = 500

/** How often, after the first time, to check whether an account was erased that is no longer signed in here but has data stored. SESSION-22 */
export const LEFT_ACCOUNT_CHECK_MS = day
/** That an account was erased counts as read once it was shown this long. */
export const ERASED_READ_MS = 3 * second

/** A refused write waits this long for the texts of errors, which load after the first screen. */
export const ERROR_WORDS_TIMEOUT_MS = 2 * second

/** Answers are sent this long after a tap, and again this often while anything waits. ANSWERS-8 */
export const SEND_AFTER_ANSWER_MS = second
export const SEND_RETRY_MS = 30 * second
/** Waits after a save that got neither an acknowledgement nor a refusal from the server: doubled each time. */
export const SEND_WAITS = { first: 20 * second, longest: 2 * minute }
/** The player is told when answers could not be sent for this long although the server can be reached. */
export const SEND_TROUBLE_SHOWN_AFTER_MS = 2 * minute
/** At sign-out, open pages with answers that are not on the disk have this long to send them. SESSION-17 */
export const SEND_UNWRITTEN_TIMEOUT_MS = 10 * second
/** How often to check whether the only tab that has them is still open. */
export const UNWRITTEN_CHECK_MS = 5 * second
/** A tab that waits this long for another tab's sending takes over; an operation sent twice is one. ANSWERS-8 */
export const SEND_LOCK_DEADLINE_MS = 30 * second
/** What is needed offline is fetched this long after the screen, whose own reads come first. docs/decisions/0033 */
export const PREPARE_AFTER_MS = 1500
/** Waits after a round of preparing that left something missing. */
export const PREPARE_RETRY_WAITS = { first: 30 * second, longest: 10 * minute }
/** How often an open page checks whether stored data was lost. */
export const PREPARE_CHECK_MS = minute
/** The player is told that it is in progress once it takes longer than this. */
export const PREPARE_PROGRESS_AFTER_MS = 2 * second
/** Sign-out waits this long for the part of the app that knows what is unsent, if it is still loading. SESSION-17 */
export const PRIVATE_STORE_TIMEOUT_MS = 5 * second
/** Sign-out waits this long for that part to count or clear, which may load files, too. */
export const DEVICE_TIMEOUT_MS = 10 * second
/** Sign-out waits this long for what that part sends now. */
export const SEND_BEFORE_LEAVING_TIMEOUT_MS = minute
/** A tab that waits this long for another tab's sign-out finishes it. SESSION-16 */
export const SIGN_OUT_LOCK_DEADLINE_MS = 20 * second
/** The first paint waits this long for a screen's stored data before it shows a skeleton. */
export const STORED_DATA_TIMEOUT_MS = 300
/** The service worker is started after unsent answers are on their way, at the latest after this. */
export const WORKER_AT_LATEST_MS = 2 * second
/** Work that the first screen does not need runs when the browser is idle, at the latest after IDLE_AT_LATEST_MS; without requestIdleCallback, after IDLE_GUESS_MS. */
export const IDLE_AT_LATEST_MS = 500
export const IDLE_GUESS_MS = 100
