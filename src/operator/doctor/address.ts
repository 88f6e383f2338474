import { createServer } from 'node:net'
import { localAddress } from '#server/local-address.ts'
import { textOf } from '../exit.ts'
import { error, ok, warning, type Finding } from './finding.ts'
import { TIMEOUT_MS } from './reply-timeout.ts'

// of a proxy; a server of ours without its database says so itself
const NO_SERVER = new Set([502, 503, 504])

/** Whether the address that people use leads to a server of ours. */
export async function checkAddress(url: string): Promise<Finding[]> {
  try {
    const reply = await fetch(`${url.replace(/\/+$/, '')}/api/health`, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
    const body = await bodyOf(reply)
    if (isOurs(body)) return [ok('PUBLIC_URL', `${url} leads to a Touchline server.`)]
    if (isUnavailable(body)) return [error('PUBLIC_URL', `${url} leads to a Touchline server that cannot reach its database.`)]
    if (NO_SERVER.has(reply.status))
      return [
        warning(
          'PUBLIC_URL',
          `${url} leads to a proxy that reaches no server (status ${reply.status}): start the server, or correct its address in the proxy.`,
        ),
      ]
    return [
      error('PUBLIC_URL', `${url}/api/health answers with status ${reply.status}, but not as Touchline: check the name and the proxy.`),
    ]
  } catch (problem) {
    const text = textOf(problem)
    const isPlain = /speaks no TLS/.test(text)
    const isTls = /certificate|SSL|TLS/i.test(text)
    const message = `${url} does not reply from this machine: ${text}.`
    return [
      isTls
        ? error(
            'PUBLIC_URL',
            `${message} ${isPlain ? 'Name the port of the proxy, not that of the server.' : 'Correct the certificate of the proxy.'}`,
          )
        : warning('PUBLIC_URL', `${message} If the server runs, check the name, the proxy and the firewall.`),
    ]
  }
}

const bodyOf = (reply: Response): Promise<unknown> => reply.json().catch(() => undefined)

function isUnavailable(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'code' in body && body.code === 'UNAVAILABLE'
}

function isOurs(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'service' in body && body.service === 'touchline'
}

async function tellsMetrics(reply: Response): Promise<boolean> {
  return (await reply.text()).includes('touchline_replies_total')
}

/** Names of the settings of an address to listen on. */
const SERVER = { port: 'PORT', host: 'HOST', path: '/api/health' } as const
export const METRICS = { port: 'METRICS_PORT', host: 'METRICS_HOST', path: '/metrics' } as const

/** Whether the server can listen, or does. */
export async function checkPort(port: number, host: string, names: typeof SERVER | typeof METRICS = SERVER): Promise<Finding[]> {
  const problem = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
  switch (problem?.code) {
    case undefined:
      return [ok(names.port, `${port} on ${host} is free.`)]
    case 'EADDRINUSE': {
      const reply = await fetch(localAddress({ host, port }) + names.path, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
        () => undefined,
      )
      if (reply && (names === METRICS ? await tellsMetrics(reply) : isOurs(await bodyOf(reply)) || reply.status === 503))
        return [ok(names.port, `A Touchline server listens on ${port}.`)]
      return [error(names.port, `${port} on ${host} is in use by another program: stop it, or choose another ${names.port}.`)]
    }
    case 'EACCES':
      return [
        error(
          names.port,
          `${port} may be used by root only: choose one above 1023${names === SERVER ? ', and let the proxy listen on 443' : ''}.`,
        ),
      ]
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return [error(names.host, `${host} is not an address of this machine: choose 127.0.0.1, or 0.0.0.0 for all of its networks.`)]
    default:
      return [error(names.port, `${port} on ${host} cannot be used: ${problem?.message}.`)]
  }
}
