import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** For the rest of a request that was still coming in when the server was told to stop. */
const ARRIVAL_MILLISECONDS = 3000

/**
 * At a stop, calls under way are answered, and each reply ends its connection. No other connection may hold up the stop:
 * Node by itself would wait for those that have not sent a whole request yet, and looks after their time limits no more.
 */
export function endConnectionsOnClose(app: FastifyInstance): void {
  /** what each connection is being asked, undefined between requests */
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
    if (isClosing) void reply.header('connection', 'close')
  })
}
