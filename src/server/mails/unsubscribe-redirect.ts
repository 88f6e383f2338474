import type { FastifyInstance } from 'fastify'

/** For mail programs without one-click unsubscribe, which open the URL as a page: redirects to the portal's page for it. */
export function registerUnsubscribeRedirect(app: FastifyInstance): void {
  app.get('/api/invitations/stop', async (request, reply) => reply.redirect(request.url.replace(/^\/api/, '')))
}
