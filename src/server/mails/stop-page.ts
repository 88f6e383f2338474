import type { FastifyInstance } from 'fastify'

/** A mail program that knows no one-click stop opens its address as a page: the portal's, where one click does it. */
export function registerStopPage(app: FastifyInstance): void {
  app.get('/api/invitations/stop', async (request, reply) => reply.redirect(request.url.replace(/^\/api/, '')))
}
