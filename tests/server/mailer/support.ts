import type { AddressInfo, Socket } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'
import { expect, onTestFinished } from 'vitest'
import { startServer, type ServerOptions, type TestServer } from '#tests/support/start-server.ts'
import { waitFor } from '#tests/support/wait-for.ts'

interface Delivered {
  to: string
  subject: string
  text: string
  html: string
  /** by header name in lower case */
  headers: Record<string, string>
}

export interface FakeMailServer {
  url: string
  /** accepted messages, oldest first */
  delivered: Delivered[]
  /** how many deliveries were attempted, accepted or not */
  tries: () => number
  /** how many messages have arrived whole, accepted or not */
  received: () => number
  /** from now on: accept everything (250), or refuse everything with this code */
  replyWith: (code: 250 | 451 | 550) => void
  /** from now on: whoever sends is refused, whatever the address */
  refuseSender: () => void
  /** from now on messages are delivered, but the sender is told to try again */
  loseReplies: () => void
  /** from now on messages are delivered, and the connection is cut before the reply */
  cutReplies: () => void
  /** from now on messages, or those to addresses with this start, are accepted only once `release` is called */
  hold: (start?: string) => void
  release: () => void
  /** from now on addresses are accepted or refused only once the returned function is called; `reply`: those that waited, with this code */
  holdAddresses: () => (reply?: 550) => void
}

function cutConnections(server: SMTPServer): void {
  // not in its types, though it has had them in every version
  const { connections } = server as unknown as { connections: Set<{ _socket: Socket }> }
  for (const { _socket: socket } of connections) socket.destroy()
}

/** A mail server whose replies a test sets. */
async function fakeMailServer(): Promise<FakeMailServer> {
  const delivered: Delivered[] = []
  let tries = 0
  let received = 0
  let code: 250 | 451 | 550 = 250
  let isReplyLost = false
  let isReplyCut = false
  let isSenderRefused = false
  let held: Promise<void> = Promise.resolve()
  let heldAddresses: Promise<550 | undefined> = Promise.resolve(undefined)
  let heldStart = ''
  let release = () => {}
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onMailFrom(_sender, _session, callback) {
      if (isSenderRefused) callback(Object.assign(new Error('5.1.8 sender refused'), { responseCode: 550 }))
      else callback()
    },
    onRcptTo({ address }, _session, callback) {
      tries += 1
      void heldAddresses.then((decided) => {
        const reply = decided ?? code
        return reply === 250 ? callback() : callback(Object.assign(new Error(`<${address}>: not now`), { responseCode: reply }))
      })
    },
    onData(stream, session, callback) {
      void (async () => {
        const mail = await PostalMime.parse(await bytesOf(stream))
        received += 1
        const [to] = session.envelope.rcptTo
        if (to?.address.startsWith(heldStart)) await held
        const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]))
        delivered.push({ to: to?.address ?? '', subject: mail.subject ?? '', text: mail.text ?? '', html: mail.html ?? '', headers })
        if (isReplyCut) return cutConnections(server)
        callback(isReplyLost ? Object.assign(new Error('lost'), { responseCode: 451 }) : undefined)
        // the sender was killed before its last byte
      })().catch(callback)
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  onTestFinished(async () => {
    release()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    delivered,
    tries: () => tries,
    received: () => received,
    replyWith: (next) => {
      code = next
      isReplyLost = false
      isReplyCut = false
      isSenderRefused = false
    },
    refuseSender: () => {
      isSenderRefused = true
    },
    loseReplies: () => {
      isReplyLost = true
    },
    cutReplies: () => {
      isReplyCut = true
    },
    hold: (start = '') => {
      heldStart = start
      held = new Promise((resolve) => {
        release = resolve
      })
    },
    release: () => release(),
    holdAddresses: () => {
      const { promise, resolve } = Promise.withResolvers<550 | undefined>()
      heldAddresses = promise
      return (reply) => {
        if (heldAddresses === promise) heldAddresses = Promise.resolve(undefined)
        resolve(reply)
      }
    },
  }
}

/** The code in the text of a mail. */
export function codeIn(text = ''): string | undefined {
  return /\b\d{8}\b/.exec(text)?.[0]
}

/** A server that sends its mails to a fake mail server, until the test ends. Its `codeFor` reads the newest of them. */
export async function serverWithMail({ env, ...options }: ServerOptions = {}): Promise<{ server: TestServer; smtp: FakeMailServer }> {
  const smtp = await fakeMailServer()
  const server = await startServer({ ...options, env: { SMTP_URL: smtp.url, ...env } })
  onTestFinished(() => server.close())
  return { server: { ...server, codeFor: () => codeIn(smtp.delivered.at(-1)?.text) ?? '' }, smtp }
}

/** Stops the server while a mail is held. */
export async function expectStopWaitsForMail(server: TestServer, smtp: FakeMailServer): Promise<void> {
  let isStopped = false
  const stopping = server.close().then(() => {
    isStopped = true
  })
  const isUnreachable = () =>
    fetch(`${server.address}/api/health`).then(
      () => false,
      () => true,
    )
  await waitFor(isUnreachable)
  expect(isStopped).toBe(false)
  smtp.release()
  await stopping
}

async function bytesOf(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}
