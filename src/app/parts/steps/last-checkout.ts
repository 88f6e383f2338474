import { DAY_MS } from '#contract/rules/dates.ts'
import { serverNow } from '#app/api/server-clock.ts'
import { trySetItem } from '#app/ui/browser/try-set-item.ts'
import { copySession, DRAFT_PREFIX } from '#app/session/stored-copy.ts'

const KEY = 'lastCheckout'
/** how long the card provider keeps a session open */
const KEPT_MS = DAY_MS

/** The payment page this tab opened last: the card provider's return URL does not say which purchase it is about. */
export function rememberCheckout(path: string): void {
  trySetItem(KEY, path, sessionStorage)
}

/** undefined if it was opened in another tab, or before the browser was closed. */
export function lastCheckout(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined
}

// removed with the drafts of its owner, and kept as they are if the browser is killed
const SHOWN = `${DRAFT_PREFIX}card-form:`
const shownKey = (path: string, userId: string) => `${SHOWN}${path}:${userId}`

interface ShownForm {
  /** epoch ms, by the server's clock */
  at: number
  sessionId: string
  /** the person has seen what became of the session, or was asked */
  isSettled: boolean
}

/** undefined if there is none, or it is older than a day. */
function readShown(key: string): ShownForm | undefined {
  const [at, sessionId, settled] = localStorage.getItem(key)?.split(' ') ?? []
  if (sessionId === undefined || serverNow() - Number(at) >= KEPT_MS) return undefined
  return { at: Number(at), sessionId, isSettled: settled !== undefined }
}

function store(key: string, { at, sessionId, isSettled }: ShownForm): void {
  if (trySetItem(key, [at, sessionId, ...(isSettled ? ['settled'] : [])].join(' '))) void copySession()
}

/** Notes that the card form of a checkout session was shown, in whatever tab. */
export function noteCardForm(path: string, userId: string, sessionId: string): void {
  store(shownKey(path, userId), { at: serverNow(), sessionId, isSettled: false })
}

/** The session whose card form was shown on this page within a day. */
export function shownCardForm(path: string, userId: string): string | undefined {
  return readShown(shownKey(path, userId))?.sessionId
}

/** The sessions whose card forms were shown within a day for another query of this path, as for another count, and are not settled. */
export function unsettledElsewhere({ pathname, search }: Pick<Location, 'pathname' | 'search'>, userId: string): string[] {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(`${SHOWN}${pathname}?`) && key.endsWith(`:${userId}`) && key !== shownKey(pathname + search, userId))
    .flatMap((key) => {
      const shown = readShown(key)
      return shown && !shown.isSettled ? [shown.sessionId] : []
    })
}

/** Notes that the person has seen what became of a session, or was asked: it needs no question for another count. */
export function noteSettled(sessionId: string): void {
  for (const key of Object.keys(localStorage).filter((key) => key.startsWith(SHOWN))) {
    const shown = readShown(key)
    if (shown?.sessionId === sessionId) store(key, { ...shown, isSettled: true })
  }
}
