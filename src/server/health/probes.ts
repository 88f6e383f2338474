import type { FastifyInstance } from 'fastify'
import type { Readiness } from './readiness.ts'

/**
 * What supervisors and balancers ask, apart from the API: /livez, whether to restart this process, and /readyz, whether to send it
 * calls. OPERATE-19, docs/decisions/0054
 */
export function registerProbes(app: FastifyInstance, readiness: () => Promise<Readiness>): void {
  // called all day
  const options = { logLevel: 'warn' as const }
  app.get('/livez', options, async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'alive' }))
  app.get('/readyz', options, async (_request, reply) => {
    const found = await readiness()
    return reply
      .code(found.status === 'ready' ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(found)
  })
}
