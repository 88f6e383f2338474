import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ErrorCode } from '#contract/errors.ts'
import { everyScreen } from '#contract/screens.ts'

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

/** JSON, whatever was asked, as the server replies. */
export function answerWith(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (incoming, reply) => {
    incoming.resume()
    reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
}

/** As the server says no, or that it broke. */
export function refuseWith(status: number, code: ErrorCode, headers: Record<string, string> = {}): Answer {
  return answerWith(status, { code, message: '-', requestId: '-' }, headers)
}

/** A proxy that lets no answers through, with its own page. */
export const tooLarge: Answer = (incoming, reply) => {
  incoming.resume()
  reply.writeHead(413, { 'content-type': 'text/html' }).end('<h1>413 Request Entity Too Large</h1>')
}

/** Like a server after a deployment that no longer has the file. */
export const gone = refuseWith(404, 'NOT_FOUND')

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

const NAMED_BY_CONTENT = /(-[\w-]{8})\.(js|css)\b/g

const FIRST_SEGMENTS = [...new Set(everyScreen.map(({ path }) => path.split('/')[1]))].filter(Boolean)
const FILES_AND_PAGES = new RegExp(`^/(?:assets/|sw\\.js|index\\.html|$|${FIRST_SEGMENTS.join('|')})`)

/** A second build is published: every file has a new name, the old names are gone, and the worker lists the new ones. */
export function publishNext(front: Front, target: string): void {
  front.bend(FILES_AND_PAGES, (incoming, reply) => {
    const path = incoming.url ?? ''
    const isOldName = NAMED_BY_CONTENT.test(path) && !path.includes('.v2.')
    NAMED_BY_CONTENT.lastIndex = 0
    if (isOldName) return gone(incoming, reply, () => undefined)
    void nextVersion(target + path.replace('.v2.', '.')).then(({ status, type, body }) =>
      reply.writeHead(status, { 'content-type': type, 'cache-control': 'no-cache' }).end(body),
    )
  })
}

async function nextVersion(url: string) {
  const response = await fetch(url)
  const text = await response.text()
  const body = text
    .replace(NAMED_BY_CONTENT, '$1.v2.$2')
    .replace(/"revision":"\w+","url":"index\.html"/, '"revision":"2","url":"index.html"')
  return { status: response.status, type: response.headers.get('content-type') ?? '', body }
}

/** Whether the page runs the second build. */
export const isNext = () => [...document.scripts].some(({ src }) => src.includes('.v2.'))
