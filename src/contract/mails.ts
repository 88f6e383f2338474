import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Calls for whoever got an invitation by mail, by the token in its link; it is good for as long as the mail is stored. */

const query = z.strictObject({ token: z.string().check(z.maxLength(200)) })
const reply = z.object({ isStopped: z.boolean() })

export const mails = {
  /** A mail program's own button asks this too, with a form of its own as the body (RFC 8058): no body is looked at. */
  stop: endpoint({
    method: 'POST',
    path: 'invitations/stop',
    access: 'anyone',
    query,
    reply,
    errors: [],
    rawBody: true,
    summary: 'No more invitations to the address of this link',
  }),
  /** Takes `stop` back. */
  allow: endpoint({
    method: 'POST',
    path: 'invitations/allow',
    access: 'anyone',
    query,
    reply,
    errors: [],
    summary: 'Invitations to the address of this link again',
  }),
}
