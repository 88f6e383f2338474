import type { Random } from '../scheduler.ts'
import type { Api } from './api.ts'
import type { Clock } from './clock.ts'
import type { Phone, Reply, Request } from './phone.ts'

/** The ways in which a call fails and may succeed later. */
export const FAULTS = ['cut', 'lost reply', 'half a body', 'silence', '500', '502 page', '503', '429', 'portal', '403 page', '426'] as const
/** `missing`: a server restored from a backup that is older than the instance */
export type Fault = (typeof FAULTS)[number] | 'slow' | 'missing'

const RETRY_AFTER_SECONDS = 20
/** a call that succeeds in the end, while its page continues */
const SLOW_MS = 10_000
const PAGE = '<html>'

/** What calls fail, and how; changed while a history runs. */
export interface NetworkFaults {
  /** by the start of the path: `user/auth`, `assessment` */
  byPath: Map<string, Fault>
}

const refusal = (status: number, code: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  body: { code, message: code, requestId: 'r' },
})

/** A network on which calls take a while each way, fail as `faults` says, and otherwise reach the server. */
export function networkTo(api: Api, { clock, random, faults }: { clock: Clock; random: Random; faults: NetworkFaults }) {
  const faultOf = ({ path }: Request) => [...faults.byPath].find(([start]) => path.startsWith(start))?.[1]
  return async (request: Request, { phone }: { phone: Phone }): Promise<Reply> => {
    const fail = () => {
      throw new TypeError('Failed to fetch')
    }
    await clock.wait(random.next() * 80)
    if (!phone.isOnline) fail()
    const fault = faultOf(request)
    switch (fault) {
      case undefined:
        break
      case 'slow':
        await clock.wait(random.next() * SLOW_MS)
        break
      case 'lost reply':
        await api.reply(request)
        return fail()
      case 'half a body':
        await api.reply(request)
        return { status: 200, headers: { 'content-type': 'application/json' }, body: PAGE }
      case 'silence':
        return new Promise(() => undefined)
      case '500':
        return refusal(500, 'INTERNAL')
      case '502 page':
        return { status: 502, body: PAGE }
      case '503':
        return refusal(503, 'UNAVAILABLE', { 'retry-after': String(RETRY_AFTER_SECONDS) })
      case '429':
        return refusal(429, 'TOO_MANY_REQUESTS', { 'retry-after': String(RETRY_AFTER_SECONDS) })
      case 'portal':
        return { status: 200, body: PAGE }
      case '403 page':
        return { status: 403, body: PAGE }
      case 'missing':
        return refusal(404, 'NOT_FOUND')
      case '426':
        return refusal(426, 'UPDATE_REQUIRED')
      default:
        return fail()
    }
    const reply = await api.reply(request)
    await clock.wait(random.next() * 80)
    return phone.isOnline ? reply : fail()
  }
}
