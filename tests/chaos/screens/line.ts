import type { Random } from '../scheduler.ts'
import type { Api } from './api.ts'
import type { Clock } from './clock.ts'
import type { Phone, Reply, Request } from './phone.ts'

/** The ways in which a call fails and may succeed later. */
export const TROUBLES = [
  'cut',
  'lost reply',
  'half a body',
  'silence',
  '500',
  '502 page',
  '503',
  '429',
  'portal',
  '403 page',
  '426',
] as const
/** `missing`: a server that was put back to a backup from before */
export type Trouble = (typeof TROUBLES)[number] | 'slow' | 'missing'

const AFTER_SECONDS = 20
/** a call that succeeds in the end, while its page goes on */
const SLOW_MS = 10_000
const PAGE = '<html>'

/** What calls fail, and how; changed while a history runs. */
export interface Weather {
  /** by the first words of the path: `user/auth`, `assessment` */
  troubles: Map<string, Trouble>
}

const ours = (status: number, code: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  body: { code, message: code, requestId: 'r' },
})

/** Calls take a while each way, fail as the weather says, and otherwise reach the server. */
export function lineTo(api: Api, { clock, random, weather }: { clock: Clock; random: Random; weather: Weather }) {
  const troubleOf = ({ path }: Request) => [...weather.troubles].find(([start]) => path.startsWith(start))?.[1]
  return async (request: Request, { phone }: { phone: Phone }): Promise<Reply> => {
    const lost = () => {
      throw new TypeError('Failed to fetch')
    }
    await clock.wait(random.next() * 80)
    if (!phone.isOnline) lost()
    const trouble = troubleOf(request)
    switch (trouble) {
      case undefined:
        break
      case 'slow':
        await clock.wait(random.next() * SLOW_MS)
        break
      case 'lost reply':
        await api.reply(request)
        return lost()
      case 'half a body':
        await api.reply(request)
        return { status: 200, headers: { 'content-type': 'application/json' }, body: PAGE }
      case 'silence':
        return new Promise(() => undefined)
      case '500':
        return ours(500, 'INTERNAL')
      case '502 page':
        return { status: 502, body: PAGE }
      case '503':
        return ours(503, 'UNAVAILABLE', { 'retry-after': String(AFTER_SECONDS) })
      case '429':
        return ours(429, 'TOO_MANY_REQUESTS', { 'retry-after': String(AFTER_SECONDS) })
      case 'portal':
        return { status: 200, body: PAGE }
      case '403 page':
        return { status: 403, body: PAGE }
      case 'missing':
        return ours(404, 'NOT_FOUND')
      case '426':
        return ours(426, 'UPDATE_REQUIRED')
      default:
        return lost()
    }
    const reply = await api.reply(request)
    await clock.wait(random.next() * 80)
    return phone.isOnline ? reply : lost()
  }
}
