import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"

/** /api/docs: the OpenAPI document, to read and to try. */
export async function registerApiDocs(app: FastifyInstance, document: object): Promise<void> {
  await app.register(async (scope) => {
    // the plugin types its document by version 3.0, ours is 3.1
    await scope.register(swagger, { mode: 'static', specification: { document: document as never } })
    await scope.register(swaggerUi, {
      routePrefix: '/api/docs',
      // its page styles itself inline; only this page may
      staticCSP: POLICY,
    })
  })
}
