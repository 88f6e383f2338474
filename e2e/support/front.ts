import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Answers instead of the server, or not at all. `pass` hands the request on to it. */
export type Answer = (incoming: IncomingMessage, reply: ServerResponse, pass: () => void) => void

/** A doorway to the product that a journey can bend: captive portals, cut lines, lost replies, newly published files. */
export interface Front {
  url: string
  /** for requests whose path matches, until `mend` */
  bend: (path: RegExp, answer: Answer) => void
  mend: () => void
  close: () => Promise<void>
}

export async function openFront(target: string): Promise<Front> {
  let bends: { path: RegExp; answer: Answer }[] = []
  const server = createServer((incoming, reply) => {
    const pass = () => handOn(target, incoming, reply)
    const bend = bends.find(({ path }) => path.test(incoming.url ?? ''))
    if (bend) bend.answer(incoming, reply, pass)
    else pass()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // listening on a port, never on a pipe
  return {
    url: `http://127.0.0.1:${port}`,
    bend: (path, answer) => void bends.unshift({ path, answer }),
    mend: () => {
      bends = []
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The line goes dead before anything is answered. */
export const cut: Answer = (incoming) => void incoming.socket.destroy()

/** A hotel's Wi-Fi: whatever is asked, its own page with 200. */
export const captivePortal: Answer = (_, reply) => {
  reply.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Wi-Fi</title><h1>Please accept the terms</h1>')
}

/** Like a server after a deployment that no longer has the file. */
export const gone: Answer = (_, reply) => {
  reply.writeHead(404, { 'content-type': 'application/json' }).end('{"code":"NOT_FOUND","message":"Gone","requestId":"-"}')
}

/** The server does it, and its reply is lost on the way back. */
export function replyLost(target: string): Answer {
  return (incoming) => {
    const onward = requestTo(target, incoming)
    onward.on('response', (response) => response.resume().on('end', () => incoming.socket.destroy()))
    incoming.pipe(onward)
  }
}

function handOn(target: string, incoming: IncomingMessage, reply: ServerResponse): void {
  const onward = requestTo(target, incoming)
  onward.on('response', (response) => {
    reply.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(reply)
  })
  incoming.pipe(onward)
}

function requestTo(target: string, incoming: IncomingMessage) {
  const onward = request(target + incoming.url, { method: incoming.method ?? 'GET', headers: incoming.headers, agent: false })
  onward.on('error', () => incoming.socket.destroy())
  return onward
}
