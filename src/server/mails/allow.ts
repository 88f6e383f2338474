import type { mails } from '#contract/mails.ts'
import type { Handler } from '../http/handler.ts'
import { hashInToken } from '../mailer/unsubscribe-tokens.ts'
import { resubscribe } from '../mailer/suppressions-store.ts'

/** POST invitations/allow: reverses `stop`. */
export const allow: Handler<typeof mails.allow> = async ({ query, refuse, deps }) => {
  const hash = hashInToken(deps.keys, query.token)
  if (hash === undefined) return refuse('NOT_FOUND')
  await resubscribe(deps.db, hash)
  return { isStopped: false }
}
