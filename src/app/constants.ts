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
export const CONNECTION_STRIP_DELAY_MS = 2 * second

/** Toasts. §9 */
export const TOAST_MS = 5 * second
export const TOAST_REMOVE_DELAY_MS = 1_000_000
export const TOAST_SWIPE_PX = 50

/** Layout. §9 */
export const MOBILE_BREAKPOINT_PX = 768
export const SIDEBAR_COOKIE = 'sidebar:state'
export const SIDEBAR_COOKIE_SECONDS = (7 * day) / second
export const SIDEBAR_KEY = 'b'

/** Avatar initials. §9 */
export const INITIALS_MAXIMUM = 2

/** The worker is asked for an update this often. Ruling 22 */
export const UPDATE_CHECK_MS = hour
/** An accepted update that never takes over reloads anyway. Ruling 22 */
export const UPDATE_FALLBACK_MS = 5 * second

/** Answers. Design.md 5: sent this long after a tap, and again this often while anything waits */
export const SEND_AFTER_ANSWER_MS = second
export const SEND_AGAIN_MS = 30 * second
/** A tab that waits this long for another tab's sending takes over; an operation sent twice is one. Ruling 11 */
export const SEND_LOCK_DEADLINE_MS = 30 * second
