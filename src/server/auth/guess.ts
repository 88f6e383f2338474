import type { Refuse } from '../http/handler.ts'
import type { Guess } from './store.ts'

/** The refusal of a wrong code, common to all calls that take one. */
export function refuseGuess(
  guess: Exclude<Guess, { kind: 'right' }>,
  refuse: Refuse<'INVALID_CODE' | 'CODE_EXPIRED' | 'CODE_EXHAUSTED' | 'TOO_MANY_REQUESTS'>,
): never {
  switch (guess.kind) {
    case 'unknown':
    case 'wrong':
      return refuse('INVALID_CODE')
    case 'expired':
      return refuse('CODE_EXPIRED')
    case 'exhausted':
      return refuse('CODE_EXHAUSTED')
    case 'wait':
      return refuse('TOO_MANY_REQUESTS', { retryAfter: guess.seconds })
  }
}
