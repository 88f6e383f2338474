import type { users } from '#contract/users.ts'
import { refuseGuess } from '../auth/guess.ts'
import { isCodeRight } from '../auth/one-time-code.ts'
import { guessCode, type Challenge } from '../auth/store.ts'
import type { Handler } from '../http/handler.ts'
import { closeAccount, findUser, reopenUntil } from './store.ts'

/**
 * Closes the caller's own account, with a code that this session requested. After that, a sign-in is refused with ACCOUNT_CLOSED, but
 * only once the code has been verified (LOGIN-22); the operator can reopen the account.
 */
export const deactivate: Handler<typeof users.deactivate> = async ({ params, body, caller, language, refuse, deps }) => {
  if (params.id !== caller.userId) return refuse('NOT_FOUND')
  const user = await findUser(deps.db, caller.userId)
  if (!user) return refuse('NOT_FOUND')
  const now = deps.clock.now()
  const isRight = (challenge: Challenge) => isCodeRight(deps.keys.codePepper, challenge, body.otp)
  const asking = { challengeId: body.session, email: user.email, purpose: 'close-account' as const, client: caller.sessionId, isRight }
  const guess = await guessCode(deps.db, asking, now)
  if (guess.kind !== 'right') return refuseGuess(guess, refuse)
  const closed = await closeAccount(deps.db, caller.userId, { challenge: guess.challenge, language }, now)
  if (closed === 'code-used') return refuse('INVALID_CODE')
  // another device closed it at the same moment, which also ended this session
  if (closed === 'not-open') return refuse('INVALID_TOKEN')
  deps.jobs.wake('mails')
  return { reopenUntil: reopenUntil(now).toISOString() }
}
