import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of one connection that may wait for their replies: browsers and proxies send one, and the next after its reply. */
const WAITING_MAXIMUM = 16

/**
 * Closes a connection that sends many requests without waiting for replies (HTTP/1.1 pipelining): Node takes all of a packet's at once,
 * before anybody else's. Stands before the server's own listener, as routing and logging each of them would hold up everybody.
 * @param onDrop told of each connection that is closed
 */
export function limitPipelines(server: Server, onDrop: () => void): void {
  const waiting = new WeakMap<Socket, number>()
  const handlers = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    // the rest of the packet of one that was closed
    if (socket.destroyed) return
    const count = (waiting.get(socket) ?? 0) + 1
    if (count > WAITING_MAXIMUM) {
      socket.destroy()
      onDrop()
      return
    }
    waiting.set(socket, count)
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1))
    for (const handle of handlers) Reflect.apply(handle, server, [request, response])
  })
}
