import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Balancers ask these themselves, as does whoever looks after the server. */
const PROBES = /^\/(?:api\/health|livez|readyz)\b/

/**
 * Logs once that a proxy does not say whom calls are from: TRUST_PROXY does not name it, or it sets no X-Forwarded-For. Behind it, everybody
 * shares one address and its limits. Without the address in the log, which may be a person's who forged the header.
 * @param isProxyNamed whether TRUST_PROXY names any
 */
export function warnOfUnnamedProxy(app: FastifyInstance, isProxyNamed: boolean): void {
  let isLogged = false
  app.addHook('onRequest', (request, _, done) => {
    const problem = isLogged ? undefined : problemOf(request, isProxyNamed)
    if (problem !== undefined) {
      isLogged = true
      request.log.warn(problem)
    }
    done()
  })
}

function problemOf({ headers, ip, socket, url }: FastifyRequest, isProxyNamed: boolean): string | undefined {
  const isForwarded = headers['x-forwarded-for'] !== undefined
  if (isForwarded && ip === socket.remoteAddress)
    return 'a call came with X-Forwarded-For from an address that TRUST_PROXY does not name: if that is the proxy, name it'
  if (!isForwarded && isProxyNamed && !PROBES.test(url))
    return 'a call came without X-Forwarded-For, although TRUST_PROXY names a proxy: if it came through that, let it replace the header by the caller’s address'
  return undefined
}
