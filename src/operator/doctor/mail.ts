import { requireTls } from '#server/env.ts'
import { checkSmtp } from '#server/outside/mail.ts'
import { errorCode } from '#server/error-code.ts'
import { textOf } from '../exit.ts'
import { error, ok, type Finding } from './finding.ts'
import { TIMEOUT_MS } from './reply-timeout.ts'

const MAIL_ADVICE: Record<string, string> = {
  EAUTH: 'Correct the user and password in SMTP_URL.',
  EDNS: 'There is no such host: correct its name.',
  ETLS: 'The server and SMTP_URL disagree on TLS: smtps:// is for port 465, smtp:// for 587.',
  ESOCKET: 'Check host and port, and smtps:// for port 465, smtp:// for 587.',
  ECONNECTION: 'Check host and port.',
  ETIMEDOUT: 'It does not reply: check host, port and firewall.',
}

/** Signs in to the mail server, and sends nothing. */
export async function checkMail(url: string, isProduction: boolean, milliseconds = 2 * TIMEOUT_MS): Promise<Finding[]> {
  try {
    await checkSmtp(isProduction ? requireTls(url) : url, milliseconds)
    return [ok('SMTP_URL', 'The mail server lets us in. Whether it takes mail from MAIL_FROM shows with the first mail.')]
  } catch (problem) {
    const code = errorCode(problem) ?? ''
    return [error('SMTP_URL', `The mail server: ${textOf(problem)}. ${MAIL_ADVICE[code] ?? 'Check host, port, user and password.'}`)]
  }
}
