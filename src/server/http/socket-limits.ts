import type { Server } from 'node:http'
import type { FastifyHttpOptions } from 'fastify'
import type { Env } from '../env.ts'

/** What one connection may use of this process, and how many there may be: all limits of the socket, none left to a default. */
export interface SocketLimits {
  /** further connections are closed at once */
  connections: number
  /** ms from the first byte of a request, or from the connection, until its headers have arrived (408) */
  headersMs: number
  /** ms until all of it has arrived (408); a picture in a body may take longer (`allowSlowBody`) */
  requestMs: number
  /** ms until a connection without a request is closed. Longer than a proxy keeps its own, or it would send into one being closed */
  idleMs: number
  /** ms in which neither side sends anything, as when a client does not read its reply */
  silenceMs: number
  /** bytes of all headers (413) */
  headerBytes: number
}

/** Default maximum of bytes of a body (413). */
export const BODY_MAXIMUM = 1_048_576

/** The listen backlog: connections not accepted yet. Clients beyond it get no reply and retry after 1, 3, 7, … s. */
export const BACKLOG = 4096
/** An idle connection takes about 10 kB, so all of them 80 MB of the 640 that a process is given. */
const CONNECTIONS = 8000
// proxies keep theirs for up to 60 s by default, and Caddy as long as docs/deploy/Caddyfile says
const IDLE_MS = 72_000

export function socketLimitsOf({ requestTimeoutSeconds, callTimeoutSeconds }: Env): SocketLimits {
  return {
    connections: CONNECTIONS,
    headersMs: requestTimeoutSeconds * 1000,
    requestMs: requestTimeoutSeconds * 1000,
    idleMs: IDLE_MS,
    // while a call is worked on nobody sends anything
    silenceMs: callTimeoutSeconds * 2000,
    headerBytes: 16_384,
  }
}

/** The limits as options of Fastify. */
export function serverOptionsOf({ headersMs, requestMs, idleMs, silenceMs, headerBytes }: SocketLimits) {
  return {
    bodyLimit: BODY_MAXIMUM,
    requestTimeout: requestMs,
    connectionTimeout: silenceMs,
    keepAliveTimeout: idleMs,
    // an idle one is closed, a busy one saves its client a handshake
    maxRequestsPerSocket: 0,
    http: { connectionsCheckingInterval: 1000, headersTimeout: headersMs, maxHeaderSize: headerBytes, requireHostHeader: false },
  } satisfies FastifyHttpOptions<Server>
}

/** @param onDrop told of each connection that is closed because there are too many */
export function limitConnections(server: Server, { connections }: SocketLimits, onDrop: () => void): void {
  server.maxConnections = connections
  server.on('drop', onDrop)
}
