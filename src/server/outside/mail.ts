import { Socket } from 'node:net'
import { createTransport, type MailMessage, type SendMailOptions } from 'nodemailer'
import { dnsCache } from 'nodemailer/lib/shared'
import type { Language } from '#contract/languages.ts'

/** One message to one person. `text` and `html` say the same. */
export interface Message {
  /** exactly one address, without a name */
  to: string
  subject: string
  text: string
  html?: string
  language: Language
  /** the same on each attempt, so that a second copy can be recognised as one */
  id?: string
  /** one-click unsubscribe (RFC 8058) */
  unsubscribeUrl?: string
  /** Nobody waits for it: once it has arrived as a whole, the mail server may take ten minutes to accept it (RFC 5321, 4.5.3.2.6). */
  mayTakeLong?: boolean
}

export interface Mail {
  /** Resolves once the mail server has accepted the message; rejects with a MailError if it has not. */
  send: (message: Message) => Promise<void>
  /** whether the mail server replied to the last message, even with a refusal of its address */
  isUp: () => boolean
  /** Signs in to the mail server and sends nothing; rejects if that fails, or if the last message failed in the last ten minutes. */
  check: () => Promise<void>
  close: () => void
}

/** Enhanced status codes (RFC 3463) of a bad sender, and of what it may not do, such as relaying. */
const OF_THE_SENDER = /^\d{3}[ -]5\.(?:1\.[78]|7\.\d+)\b/
const ENHANCED_CODE = /^\d{3}[ -]5\.\d+\.\d+\b/
/** Words of mail servers that send no such code, as Exim by default; one taken wrongly only makes the mail be tried again. */
const WORDS_OF_THE_SENDER =
  /relay|sender|authenticat|prohibit|not (?:permitted|allowed|authori[sz]ed)|denied|polic|block|spam|reputation|client/i

/** Whether a refusal at RCPT TO is of us who send, not of the address, which is not taken for the server's words. */
function isOfTheSender(response: string): boolean {
  if (ENHANCED_CODE.test(response)) return OF_THE_SENDER.test(response)
  return WORDS_OF_THE_SENDER.test(response.replaceAll(/\S+@\S+/g, ''))
}

/**
 * The message was not accepted: no server, no reply, or a refusal (`isRefused`: of this address, permanently, and not of us who send).
 * `isUnanswered`: all of it was sent, and the mail server did not say what became of it, so it may arrive. It has the codes of the failure but
 * not its text, in which mail servers usually quote the address.
 */
export class MailError extends Error {
  readonly isRefused: boolean
  readonly isUnanswered: boolean
  /** nodemailer's, such as ECONNECTION */
  readonly code: string | undefined
  /** the mail server's, such as 550 */
  readonly responseCode: number | undefined
  /** the command it replied to, such as RCPT TO */
  readonly command: string | undefined

  /** @param isSent all of the message has been sent */
  constructor(failure: unknown, isSent = false) {
    super('The mail server did not accept the message.')
    const { code, responseCode, command, response } = (failure ?? {}) as Record<string, unknown> // an SMTP failure, or anything thrown
    this.code = typeof code === 'string' ? code : undefined
    this.responseCode = typeof responseCode === 'number' ? responseCode : undefined
    this.isUnanswered = isSent && this.responseCode === undefined
    // the verb only: an address follows it
    this.command = typeof command === 'string' ? /^[A-Z]+( (FROM|TO))?/.exec(command)?.[0] : undefined
    this.isRefused = this.command === 'RCPT TO' && (this.responseCode ?? 0) >= 550 && !isOfTheSender(String(response))
  }
}

interface SmtpSettings {
  /** smtp://user:password@host:port or smtps:// */
  url: string
  /** `Name <address>` */
  from: string
  /** where mail that cannot be delivered comes back to; undefined: to `from` */
  bounceAddress?: string | undefined
  timeouts?: typeof TIMEOUTS
}

const CONNECT_TIMEOUT_MS = 5_000
// which includes looking up the name: the rest is for a connection to the kept address
const LOOKUP_TIMEOUT_MS = 3_000
const TIMEOUTS = {
  /** for each reply to a message that somebody waits for */
  replyMs: 10_000,
  /** for any other, until all of it is sent */
  sentMs: 30_000,
  /** and until it is accepted after that */
  acceptedMs: 600_000,
}
/** How long a failed message is reported, as codes and jobs are tried again sooner. */
const FAILED_FOR_MS = 600_000
// shorter than the probes wait for an answer
const CHECK_MS = 25_000
const CONNECTIONS = 5
// shorter than the timeout of a reply, which would end an idle connection as failed
const IDLE_MS = 8_000
// anything that could end a header line or be read as a second address
const UNSAFE_ADDRESS = /[\s,;:<>()[\]\\"\p{Cc}]/u
const LINE_END = /[\r\n\0\u2028\u2029]/

/** Mail by SMTP. Throws for an address or subject that could add a header: that is a bug of the caller. */
export function smtpMail({ url, from, bounceAddress, timeouts = TIMEOUTS }: SmtpSettings): Mail {
  const pool = poolOf(url, timeouts.replyMs)
  const alone = connectionsOf(url, timeouts)
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'
  // unknown yet: the first caller waits for the reply
  let isUp = false
  let lastFailure: { error: MailError; at: number } | undefined
  return {
    isUp: () => isUp,
    check: async () => {
      await checkSmtp(url, CHECK_MS)
      // one that lets us in may still refuse us as the sender, or never accept what it has
      if (lastFailure && performance.now() - lastFailure.at < FAILED_FOR_MS)
        throw new Error('The mail server lets us in but did not take the last message', { cause: lastFailure.error })
    },
    send: async ({ to, subject, text, html, language, id, unsubscribeUrl, mayTakeLong }) => {
      if (UNSAFE_ADDRESS.test(to) || to.split('@').length !== 2) throw new TypeError('A message goes to exactly one plain address.')
      if (LINE_END.test(subject)) throw new TypeError('A subject is one line.')
      let isSent = false
      const mail: SendMailOptions & SendEvents = {
        onSent: () => {
          isSent = true
        },
        from,
        // As an object it is taken literally; a string would be parsed as a list.
        to: { name: '', address: to },
        subject,
        text,
        ...(html === undefined ? {} : { html }),
        ...(id === undefined ? {} : { messageId: `<${id}@${domain}>` }),
        ...(bounceAddress === undefined ? {} : { envelope: { from: bounceAddress, to } }),
        // if it comes back: with this id, and without its content
        ...(id === undefined ? {} : { dsn: { id, return: 'headers', notify: 'failure' } }),
        // RFC 3834: no out-of-office reply to a machine.
        headers: { 'Content-Language': language, 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribeUrl) },
      }
      try {
        await (mayTakeLong ? alone : pool).sendMail(mail)
        isUp = true
        lastFailure = undefined
      } catch (error) {
        const failure = new MailError(error, isSent)
        isUp = failure.isRefused || (failure.isUnanswered && failure.code === 'ETIMEDOUT')
        lastFailure = failure.isRefused ? undefined : { error: failure, at: performance.now() }
        if (!failure.isRefused) lookUpAgain()
        throw failure
      }
    },
    close: () => {
      pool.close()
      alone.close()
    },
  }
}

interface SendEvents {
  /** called once all of the message has been sent */
  onSent?: () => void
}

const settingsOf = (url: string) => ({
  url,
  connectionTimeout: CONNECT_TIMEOUT_MS,
  greetingTimeout: CONNECT_TIMEOUT_MS,
  dnsTimeout: LOOKUP_TIMEOUT_MS,
  disableFileAccess: true,
  disableUrlAccess: true,
})

/**
 * The library keeps the addresses of a name for five minutes, also those where no mail server, or another one, is by now. The next connection
 * looks it up again; if that fails, it takes the kept addresses.
 */
function lookUpAgain(): void {
  // of this process's one mail server; zero would be for ever
  for (const kept of dnsCache.values()) kept.expires = 1
}

/** Connections that are kept: opening one costs several round trips, and servers may delay their greeting on purpose. */
function poolOf(url: string, socketTimeout: number) {
  const pool = createTransport({
    ...settingsOf(url),
    pool: true,
    maxConnections: CONNECTIONS,
    maxRequeues: 1,
    idleTimeout: IDLE_MS,
    socketTimeout,
  })
  pool.use('stream', ({ data, message }, done) => {
    tellWhenSent(message, (data as SendEvents).onSent) // given to each
    done()
  })
  return pool
}

/**
 * A connection for each message, of which the limits are ours: the library's are the same before a message is sent and after it. One that the
 * mail server is slow to accept holds up no other.
 */
function connectionsOf(url: string, { sentMs, acceptedMs }: typeof TIMEOUTS) {
  const open = new Set<Socket>()
  return {
    sendMail: async (mail: SendMailOptions & SendEvents) => {
      const socket = new Socket()
      open.add(socket)
      let isLate = false
      const endLate = () => {
        isLate = true
        socket.destroy()
      }
      let timer = setTimeout(endLate, sentMs)
      const transport = createTransport({ ...settingsOf(url), socket, socketTimeout: sentMs + acceptedMs })
      transport.use('stream', ({ message }, done) => {
        tellWhenSent(message, () => {
          clearTimeout(timer)
          timer = setTimeout(endLate, acceptedMs)
          mail.onSent?.()
        })
        done()
      })
      try {
        await transport.sendMail(mail)
      } catch (error) {
        throw isLate ? Object.assign(new Error('no reply in time', { cause: error }), { code: 'ETIMEDOUT' }) : error
      } finally {
        clearTimeout(timer)
        open.delete(socket)
      }
    },
    close: () => open.forEach((socket) => socket.destroy()),
  }
}

/** The content is read as it is sent. */
function tellWhenSent(message: MailMessage['message'], onSent: (() => void) | undefined): void {
  message.processFunc((content) => content.once('end', () => onSent?.()))
}

/** Signs in and sends nothing. The connection is closed after that time at the latest: a reply that never ends has no other limit. */
export async function checkSmtp(url: string, milliseconds: number): Promise<void> {
  const socket = new Socket()
  const ending = setTimeout(() => {
    socket.destroy(new Error('it does not come to an end of its replies'))
  }, milliseconds)
  // which is after the goodbye
  socket.once('close', () => clearTimeout(ending))
  try {
    await createTransport({ ...settingsOf(url), socket, socketTimeout: TIMEOUTS.replyMs }).verify()
  } catch (error) {
    socket.destroy()
    throw error
  }
}

function unsubscribeHeaders(url: string | undefined): Record<string, string> {
  return url === undefined ? {} : { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}
