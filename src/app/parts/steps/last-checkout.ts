import { remember } from '#app/remember.ts'
import { copySession, DRAFT_PREFIX } from '#app/session/stored-copy.ts'

const KEY = 'lastCheckout'
/** how long the card provider keeps a session open */
const DAY_MS = 24 * 3_600_000

/** The payment page this tab opened last: the card provider's return URL does not say which purchase it is about. */
export function rememberCheckout(path: string): void {
  remember(KEY, path, sessionStorage)
}

/** undefined if it was opened in another tab, or before the browser was closed. */
export function lastCheckout(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined
}

// removed with the drafts of its owner, and kept as they are if the browser is killed
const shownKey = (path: string, userId: string) => `${DRAFT_PREFIX}card-form:${path}:${userId}`

/** Notes that the card form of a checkout session was shown, in whatever tab. */
export function noteCardForm(path: string, userId: string, sessionId: string): void {
  if (remember(shownKey(path, userId), `${Date.now()} ${sessionId}`)) void copySession()
}

/** The session whose card form was shown on this page within a day. */
export function shownCardForm(path: string, userId: string): string | undefined {
  const [at, sessionId] = localStorage.getItem(shownKey(path, userId))?.split(' ') ?? []
  return Date.now() - Number(at) < DAY_MS ? sessionId : undefined
}
