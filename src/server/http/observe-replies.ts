import type { FastifyInstance, FastifyRequest } from 'fastify'
import { everyEndpoint } from '#contract/api.ts'
import type { ReplyMetric } from '../metrics/metrics.ts'
import { routeOf } from './router.ts'

const CALLS: ReadonlySet<string> = new Set(everyEndpoint().map(([, endpoint]) => routeOf(endpoint)))
const PROBES: ReadonlySet<string> = new Set(['/livez', '/readyz'])

/** What identifies one request: for traces, never for metrics. */
export interface RequestTrace {
  requestId: string
  /** as the caller wrote it */
  traceparent: string | string[] | undefined
}

export type OnReply = (reply: ReplyMetric, trace: RequestTrace) => void

/** Reports every reply by its route pattern, since a URL may name a person, and there are infinitely many. */
export function observeReplies(app: FastifyInstance, replied: OnReply): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { id, method } = request
    const of = { method, route: routeLabel(request), status: reply.statusCode, seconds: reply.elapsedTime / 1000 }
    replied(of, { requestId: id, traceparent: request.headers['traceparent'] })
    done()
  })
}

/** Each file of the portal has a route, and there are hundreds: they share a name. */
function routeLabel({ routeOptions: { url } }: FastifyRequest): string {
  if (url === undefined) return 'none'
  if (CALLS.has(url) || PROBES.has(url)) return url
  return /^\/(media|dev|api)\//.exec(url)?.[0] ?? 'file'
}
