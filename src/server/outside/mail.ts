import { createTransport } from 'nodemailer'

/** One message to one person. `text` and `html` say the same. */
export interface Message {
  /** exactly one address, without a name */
  to: string
  subject: string
  text: string
  html?: string
  language: 'en' | 'fr'
}

export interface Mail {
  /** Resolves once the mail server has taken the message over; rejects with a MailError when it has not. */
  send: (message: Message) => Promise<void>
  close: () => void
}

/** The message was not taken over: no server, no answer, or a refusal (`isRefused`: this address, for good). */
export class MailError extends Error {
  readonly isRefused: boolean

  constructor(cause: unknown) {
    super('The mail server did not take the message.', { cause })
    this.isRefused = cause instanceof Error && 'responseCode' in cause && Number(cause.responseCode) >= 550
  }
}

export interface SmtpSettings {
  /** smtp://user:password@host:port or smtps:// */
  url: string
  /** `Name <address>` */
  from: string
}

const CONNECT_WITHIN = 5_000
const ANSWER_WITHIN = 10_000
// Anything that could end a header line or be read as a second address.
const UNSAFE_ADDRESS = /[\s,;:<>()[\]\\"\p{Cc}]/u
const LINE_END = /[\r\n\0\u2028\u2029]/

/** Mail by SMTP. A message that could carry a header of somebody else's is a bug of the caller and throws. */
export function smtpMail({ url, from }: SmtpSettings): Mail {
  const transport = createTransport({
    url,
    connectionTimeout: CONNECT_WITHIN,
    greetingTimeout: CONNECT_WITHIN,
    dnsTimeout: CONNECT_WITHIN,
    socketTimeout: ANSWER_WITHIN,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async ({ to, subject, text, html, language }) => {
      if (UNSAFE_ADDRESS.test(to) || to.split('@').length !== 2) throw new TypeError('A message goes to exactly one plain address.')
      if (LINE_END.test(subject)) throw new TypeError('A subject is one line.')
      try {
        await transport.sendMail({
          from,
          // As an object it is taken literally; a string would be parsed as a list.
          to: { name: '', address: to },
          subject,
          text,
          ...(html === undefined ? {} : { html }),
          // RFC 3834: no out-of-office reply to a machine.
          headers: { 'Content-Language': language, 'Auto-Submitted': 'auto-generated' },
        })
      } catch (error) {
        throw new MailError(error)
      }
    },
    close: () => transport.close(),
  }
}
