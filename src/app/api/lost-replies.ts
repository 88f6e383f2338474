/** Requests of which it is unknown whether they were carried out: no reply has come. */
import { LOST_REPLY_KEPT_MS } from '#app/constants.ts'
import { trySetItem } from '#app/ui/browser/try-set-item.ts'
import { staysUnknown } from './api-error.ts'
import { reader, sessionPort } from './session-port.ts'

/** in local storage, so that a reload and other tabs know it */
const KEY = 'lostReplies'

/** When each request was sent (epoch ms), by its sender and content. */
type Lost = Record<string, number>

/** those that a full storage did not take */
let unstored: Lost | undefined

const keyOf = (content: string, sender: string | undefined) => `${sender ?? ''} ${content}`

/** Whether this request may have been carried out, by the last attempt or an earlier one whose reply was lost. */
export const mayBeDone = (content: string, sender = reader.id()) => keyOf(content, sender) in readLost()

/**
 * Sends a request, and keeps in mind that its reply is not there until it is, as the page may be left meanwhile. Rejects as `send` does.
 * @param sender whose request it is: nothing is kept of it once they have signed out
 */
export async function trackReply<T>(content: string, send: () => Promise<T>, sender = reader.id()): Promise<T> {
  const note = (isLost: boolean) => {
    if (sender !== undefined && sessionPort.get()?.hasSignedOut(sender)) return
    const { [keyOf(content, sender)]: sentAt, ...others } = readLost()
    if (isLost) store({ ...others, [keyOf(content, sender)]: Date.now() })
    else if (sentAt !== undefined) store(others)
  }
  const wasLost = mayBeDone(content, sender)
  note(true)
  try {
    const reply = await send()
    note(false)
    return reply
  } catch (error) {
    note(staysUnknown(wasLost, error))
    throw error
  }
}

function readLost(): Lost {
  const all = unstored ?? stored()
  const since = Date.now() - LOST_REPLY_KEPT_MS
  return Object.fromEntries(Object.entries(all).filter(([, at]) => at > since))
}

function stored(): Lost {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Lost
  } catch {
    return {}
  }
}

function store(lost: Lost): void {
  unstored = trySetItem(KEY, JSON.stringify(lost)) ? undefined : lost
}
