import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'
import { normalEmail } from '#contract/rules/email.ts'
import type { Clock } from '#server/outside/clock.ts'
import { writeDurably } from '../durable-file.ts'

/** A mail as the mailbox shows it; `at` is a UTC instant, ISO 8601. */
export interface ReceivedMail {
  to: string
  subject: string
  text: string
  at: string
}

/** The mail server of demo mode: accepts every mail and shows it instead of delivering it. */
export interface Mailbox {
  /** for smtpMail */
  readonly smtpUrl: string
  /** Newest first; all mails, or only those to `address`, in upper or lower case. */
  list: (address?: string) => ReceivedMail[]
  close: () => Promise<void>
}

interface StoredMail extends ReceivedMail {
  order: number
  /** absent in those stored by earlier builds */
  id?: string
}

const MAILS_MAXIMUM = 2_000
const SIZE_MAXIMUM = 1_000_000
/** Mails to `bounces@…` are refused, to try out what the product does then. */
const BOUNCES = /^bounces@/i

/** Listens on a free loopback port. A mail is on disk before it is acknowledged. */
export async function startMailbox(settings: { dataDir: string; clock: Clock }): Promise<Mailbox> {
  const folder = join(settings.dataDir, 'mailbox')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const mails = readStored(folder)
  let order = mails.at(-1)?.order ?? 0

  function store(mail: ReceivedMail): void {
    order += 1
    const stored = { ...mail, order, id: randomUUID() }
    writeDurably(join(folder, fileOf(stored)), JSON.stringify(stored))
    mails.push(stored)
    const oldest = mails.length > MAILS_MAXIMUM ? mails.shift() : undefined
    if (oldest) rmSync(join(folder, fileOf(oldest)), { force: true })
  }

  const server = new SMTPServer({
    authOptional: true,
    // loopback only: there is nothing to encrypt
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    size: SIZE_MAXIMUM,
    onRcptTo(address, _session, callback) {
      if (!BOUNCES.test(address.address)) return callback()
      // quotes the address, as mail servers do
      const words = `5.1.1 <${address.address}>: Recipient address rejected: No such mailbox`
      return callback(Object.assign(new Error(words), { responseCode: 550 }))
    },
    onData(stream, session, callback) {
      readMail(stream)
        .then(({ subject, text }) => {
          const at = settings.clock.now().toISOString()
          for (const { address } of session.envelope.rcptTo) store({ to: address, subject, text, at })
          callback()
        })
        .catch((error: unknown) => callback(error instanceof Error ? error : new Error('The mail cannot be read.')))
    },
  })
  // an aborted connection must not end the process
  server.on('error', () => {})
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve())
  })
  // A TCP listener's address is never a pipe's name.
  const { port } = server.server.address() as AddressInfo
  return {
    smtpUrl: `smtp://127.0.0.1:${port}`,
    list: (address) =>
      mails
        .filter((mail) => address === undefined || sameAddress(mail.to, address))
        .toReversed()
        .map(({ to, subject, text, at }) => ({ to, subject, text, at })),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function readMail(stream: SMTPServerDataStream): Promise<{ subject: string; text: string }> {
  const chunks: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
  if (stream.sizeExceeded) throw Object.assign(new Error('The mail is too large.'), { responseCode: 552 })
  const mail = await PostalMime.parse(Buffer.concat(chunks))
  return { subject: mail.subject ?? '', text: (mail.text ?? '').trimEnd() }
}

function readStored(folder: string): StoredMail[] {
  return (
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      // unchecked: only this module writes these files
      .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as StoredMail)
      .toSorted((a, b) => a.order - b.order)
  )
}

/** With an id, as other processes may have the same data folder. */
function fileOf({ order, id }: StoredMail): string {
  return `${String(order).padStart(10, '0')}${id === undefined ? '' : `-${id}`}.json`
}

function sameAddress(one: string, other: string): boolean {
  return normalEmail(one) === normalEmail(other)
}
