/** Requests about tokens of which it is unknown whether they were carried out: no reply has come. */
import { staysUnknown } from '#app/api/api-error.ts'
import { LOST_REPLY_KEPT_MS } from '#app/constants.ts'
import { remember } from '#app/remember.ts'

/** in local storage, so that a reload and other tabs know it */
const KEY = 'lostReplies'

/** By their content, when they were sent: epoch ms. */
type Lost = Record<string, number>

/** those that a full storage did not take */
let unstored: Lost | undefined

/** Whether this request may have been carried out, by the last attempt or an earlier one whose reply was lost. */
export const mayBeDone = (content: string) => content in readLost()

/** Sends a request, and keeps in mind that its reply is not there until it is, as the page may be left meanwhile. Rejects as `send` does. */
export async function noteIfLost<T>(content: string, send: () => Promise<T>): Promise<T> {
  const wasLost = mayBeDone(content)
  store({ ...readLost(), [content]: Date.now() })
  try {
    const reply = await send()
    forget(content)
    return reply
  } catch (error) {
    if (!staysUnknown(wasLost, error)) forget(content)
    throw error
  }
}

function forget(content: string): void {
  const { [content]: _, ...others } = readLost()
  store(others)
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
  unstored = remember(KEY, JSON.stringify(lost)) ? undefined : lost
}
