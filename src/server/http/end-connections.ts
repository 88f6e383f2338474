import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long a request may go on arriving once the server is told to stop. */
const ARRIVAL_MS = 3000
/** How long to wait for a connection's first byte: browsers open some that they never use. */
const FIRST_BYTE_MS = 200
/** How many turns of the event loop to wait for a quiet one. */
const TURNS_MAXIMUM = 1000
const QUIET_MS = 1

/**
 * On close, running calls are completed, and each reply ends its connection, as it does before while the server is draining. Other connections must not hold up the close: Node would
 * wait for those that have not sent a whole request, and no longer enforces their timeouts.
 */
export function endConnectionsOnClose(app: FastifyInstance, isDraining: () => boolean): void {
  /** the current request of each connection; undefined between requests */
  const requests = new Map<Socket, IncomingMessage | undefined>()
  let connections = 0
  app.server.on('connection', (socket) => {
    connections += 1
    requests.set(socket, undefined)
    socket.once('close', () => requests.delete(socket))
  })
  app.server.on('request', (request, response) => {
    const { socket } = request
    requests.set(socket, request)
    response.once('close', () => requests.has(socket) && requests.set(socket, undefined))
  })

  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
    const endWhere = (isOver: (socket: Socket, request: IncomingMessage | undefined) => boolean) => {
      for (const [socket, request] of requests) if (isOver(socket, request)) socket.destroy()
    }
    await quietTurn(() => connections)
    const closed = new Promise((resolve) => app.server.close(resolve))
    setTimeout(() => endWhere((socket) => socket.bytesRead === 0), FIRST_BYTE_MS).unref()
    setTimeout(() => endWhere((_socket, request) => !request?.complete), ARRIVAL_MS).unref()
    await closed
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing || isDraining()) void reply.header('connection', 'close')
    done()
  })
}

/** Resolves after a short turn of the event loop without a new connection: the system resets pending ones when the port closes. */
async function quietTurn(connections: () => number): Promise<void> {
  for (let turn = 0; turn < TURNS_MAXIMUM; turn += 1) {
    const [before, at] = [connections(), performance.now()]
    await nextTurn()
    if (connections() === before && performance.now() - at < QUIET_MS) return
  }
}
