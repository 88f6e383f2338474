import type { mails } from '#contract/mails.ts'
import type { Handler } from '../http/handler.ts'
import { hashInToken } from '../mailer/unsubscribe-tokens.ts'
import { unsubscribe } from '../mailer/suppressions-store.ts'

/** POST invitations/stop: no more invitations to the address. Sign-in codes are still sent. */
export const stop: Handler<typeof mails.stop> = async ({ query, refuse, deps }) => {
  const hash = hashInToken(deps.keys, query.token)
  if (hash === undefined) return refuse('NOT_FOUND')
  await unsubscribe(deps.db, hash, deps.clock.now())
  return { isStopped: true }
}
