import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** For a request that is still arriving when the server is told to stop. */
const ARRIVAL_MILLISECONDS = 3000

/**
 * On close, running calls are completed, and each reply ends its connection, as it does before while the server is draining. Other connections must not hold up the close: Node would
 * wait for those that have not sent a whole request, and no longer enforces their timeouts.
 */
export function endConnectionsOnClose(app: FastifyInstance, isDraining: () => boolean): void {
  /** the current request of each connection; undefined between requests */
  const requests = new Map<Socket, IncomingMessage | undefined>()
  app.server.on('connection', (socket) => {
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
    endWhere((socket) => socket.bytesRead === 0)
    setTimeout(() => endWhere((_socket, request) => !request?.complete), ARRIVAL_MILLISECONDS).unref()
  })
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing || isDraining()) void reply.header('connection', 'close')
  })
}
