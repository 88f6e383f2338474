import type { FastifyInstance } from 'fastify'

/** Logs once that calls come through a proxy that TRUST_PROXY does not name: behind it, everybody shares one address and its limits. */
export function warnOfUnnamedProxy(app: FastifyInstance): void {
  let isLogged = false
  app.addHook('onRequest', ({ headers, ip, socket, log }, _, done) => {
    if (!isLogged && headers['x-forwarded-for'] !== undefined && ip === socket.remoteAddress) {
      isLogged = true
      // without the address, which may be a person's who forged the header
      log.warn('a call came with X-Forwarded-For from an address that TRUST_PROXY does not name: if that is the proxy, name it')
    }
    done()
  })
}
