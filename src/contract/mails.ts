import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/**
 * Calls for people who got an invitation by mail, and for mail servers. The token in an invitation's link identifies the address; it
 * does not expire. 404 if it is not ours.
 */

const query = z.strictObject({ token: z.string().check(z.maxLength(200)) })
const reply = z.object({ isStopped: z.boolean() })

export const mails = {
  /**
   * Stops invitations to the address of the token. Idempotent. Also called by a mail program's own unsubscribe button, which sends a
   * form (RFC 8058), so the body is ignored.
   */
  stop: endpoint({
    method: 'POST',
    path: 'invitations/stop',
    access: 'anyone',
    query,
    reply,
    errors: [],
    rawBody: true,
    summary: 'Stop invitations to the email address of this link',
  }),
  /** Reverses `stop`. Idempotent. */
  allow: endpoint({
    method: 'POST',
    path: 'invitations/allow',
    access: 'anyone',
    query,
    reply,
    errors: [],
    summary: 'Allow invitations to the email address of this link again',
  }),
  /**
   * A mail that came back: a delivery report (RFC 3464) as a mail server makes it, or JSON {messageId, action?, status?, diagnostic?} with
   * the values that such a report has. Authorised by MAIL_BOUNCE_KEY alone, as bearer or as the password of basic authorisation: 401
   * INVALID_TOKEN without it, 404 if the server has none. `isKnown`: it is about a mail of ours of the last 30 days. Idempotent.
   */
  bounced: endpoint({
    method: 'POST',
    path: 'mail/bounce',
    access: 'anyone',
    rawBody: true,
    reply: z.object({ isKnown: z.boolean() }),
    errors: [],
    summary: 'Receive a bounce from the mail server or provider',
  }),
}
