import type { FastifyReply, FastifyRequest } from 'fastify'
import { everyEndpoint } from '#contract/api.ts'
import { Refused, sendRefusal } from './refusal.ts'
import { routeOf } from './router.ts'

const routes = everyEndpoint().map(([, endpoint]) => ({
  method: endpoint.method,
  pattern: new RegExp(`^${routeOf(endpoint).replace(/:\w+/g, '[^/]+')}/?$`),
}))

/** Refuses a request without a route: 405 if the API has the path with another method, else 404, both as JSON. */
export function refuseUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.replace(/\?.*$/, '')
  const methods = routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (methods.length > 0) reply.header('allow', [...new Set(methods)].join(', '))
  const isMethodWrong = methods.length > 0 || request.method === 'TRACE' || (!isRead && !path.startsWith('/api/'))
  return sendRefusal(request, reply, new Refused(isMethodWrong ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND'))
}
