import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { ErrorCode } from '#contract/errors.ts'
import { everyScreen } from '#contract/screens.ts'

/** Replies instead of the server, or never. `pass` hands the request on to the server. */
export type Bend = (incoming: IncomingMessage, reply: ServerResponse, pass: () => void) => void

/** A proxy before the product whose replies a journey can change: captive portals, cut connections, lost replies, new builds. */
export interface Front {
  url: string
  /** for requests whose path matches, until `mend` */
  bend: (path: RegExp, bend: Bend) => void
  mend: () => void
  close: () => Promise<void>
}

export async function openFront(target: string): Promise<Front> {
  let bends: { path: RegExp; bend: Bend }[] = []
  const server = createServer((incoming, reply) => {
    const pass = () => handOn(target, incoming, reply)
    const bent = bends.find(({ path }) => path.test(incoming.url ?? ''))
    if (bent) bent.bend(incoming, reply, pass)
    else pass()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // listening on a port, never on a pipe
  return {
    url: `http://127.0.0.1:${port}`,
    bend: (path, bend) => void bends.unshift({ path, bend }),
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

/** The connection breaks before there is a reply. */
export const cut: Bend = (incoming) => void incoming.socket.destroy()

/** The connection stays open, and nothing comes. */
export const noReply: Bend = () => undefined

/** A hotel's Wi-Fi replies to every request with its own page and status 200. */
export const captivePortal: Bend = (_, reply) => replyAsPortal(reply)

/** One that lets browsers keep its page. */
export const keptPortal: Bend = (_, reply) => replyAsPortal(reply, { 'cache-control': 'max-age=86400' })

function replyAsPortal(reply: ServerResponse, headers: Record<string, string> = {}): void {
  reply
    .writeHead(200, { 'content-type': 'text/html', ...headers })
    .end('<!doctype html><title>Wi-Fi</title><h1>Please accept the terms</h1>')
}

/**
 * For each path the first `times` replies end early but seem whole, as where the end of the connection is the end of a reply.
 * @param keep how many of its bytes arrive
 * @param encoding `identity`: a browser uses what it got; compressed, it may find that there was more, and keeps it all the same
 */
export function endEarly(target: string, { times = 1, encoding = 'identity', keep = (whole: Buffer) => whole.length / 2 } = {}): Bend {
  const sent = new Map<string, number>()
  return (incoming, reply, pass) => {
    const path = incoming.url ?? ''
    const before = sent.get(path) ?? 0
    sent.set(path, before + 1)
    if (before >= times) return pass()
    incoming.resume()
    const onward = request(target + path, { headers: { 'accept-encoding': encoding }, agent: false })
    onward.on('response', (response) => {
      void buffer(response).then((whole) => {
        reply.useChunkedEncodingByDefault = false
        for (const name of ['content-type', 'content-encoding', 'cache-control'] as const)
          if (response.headers[name]) reply.setHeader(name, response.headers[name])
        reply.end(whole.subarray(0, keep(whole)))
      })
    })
    onward.end()
  }
}

/** Replies to every request with this JSON. */
export function replyWith(status: number, body: unknown, headers: Record<string, string> = {}): Bend {
  return (incoming, reply) => {
    incoming.resume()
    reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
}

/** Refuses in the form of the server's refusals and errors. */
export function refuseWith(status: number, code: ErrorCode, headers: Record<string, string> = {}): Bend {
  return replyWith(status, { code, message: '-', requestId: '-' }, headers)
}

/** A proxy that refuses large requests with its own page. */
export const tooLarge: Bend = (incoming, reply) => {
  incoming.resume()
  reply.writeHead(413, { 'content-type': 'text/html' }).end('<h1>413 Request Entity Too Large</h1>')
}

/** A server after a deployment that no longer has the file. */
export const fileMissing = refuseWith(404, 'NOT_FOUND', { 'cache-control': 'no-store' })

/** The server's reply, kept by no cache of the browser. */
export function notKept(target: string): Bend {
  return (incoming, reply) => {
    void fetch(target + incoming.url).then(async (response) => {
      const type = response.headers.get('content-type') ?? ''
      reply.writeHead(response.status, { 'content-type': type, 'cache-control': 'no-store' }).end(await response.text())
    })
  }
}

/** The server handles the request, but its reply is lost. */
export function replyLost(target: string): Bend {
  return (incoming) => {
    const onward = requestTo(target, incoming)
    onward.on('response', (response) => response.resume().on('end', () => incoming.socket.destroy()))
    incoming.pipe(onward)
  }
}

/** The same, but once: a repeat that the browser makes by itself passes. */
export function firstReplyLost(target: string): Bend {
  let isFirst = true
  const lose = replyLost(target)
  return (incoming, reply, pass) => {
    if (isFirst) lose(incoming, reply, pass)
    else pass()
    isFirst = false
  }
}

/** The server handles the first request at once, and its reply arrives only then. */
export function firstReplyLate(target: string, then: Promise<void>): Bend {
  let isFirst = true
  return (incoming, reply, pass) => {
    if (!isFirst) return pass()
    isFirst = false
    const onward = requestTo(target, incoming)
    onward.on('response', (response) => {
      const whole = buffer(response)
      void Promise.all([whole, then]).then(([body]) => reply.writeHead(response.statusCode ?? 502, response.headers).end(body))
    })
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

/** Publishes a second build: every file has a new name, the old names are missing, and the worker lists the new ones. */
export function publishNext(front: Front, target: string): void {
  front.bend(FILES_AND_PAGES, (incoming, reply) => {
    const path = incoming.url ?? ''
    const isOldName = NAMED_BY_CONTENT.test(path) && !path.includes('.v2.')
    NAMED_BY_CONTENT.lastIndex = 0
    if (isOldName) return fileMissing(incoming, reply, () => undefined)
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

/** The body of a refusal without a code of its own. */
export const refusal = (message: string) => ({ code: 'OTHER', message, requestId: '-' })
