import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Calls for people who got an invitation by mail. The token in its link identifies the address; it does not expire. 404 if it is not ours. */

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
    summary: 'No more invitations to the address of this link',
  }),
  /** Reverses `stop`. Idempotent. */
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
