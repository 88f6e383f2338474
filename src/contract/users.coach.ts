import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { email } from './rules/profile.ts'

/** Calls about accounts that only a coach makes. */
export const usersForCoach = {
  /** Exact and limited, and it says no more than that there is an account: it must not become a directory. */
  searchByEmail: endpoint({
    method: 'GET',
    path: 'user/email-search',
    access: ['coach'],
    query: z.strictObject({ email: email('EmailInvalid') }),
    reply: z.object({ email: z.string() }),
    errors: ['INVALID_EMAIL', 'USER_NOT_FOUND'],
    summary: 'Whether somebody has an account with this e-mail address',
  }),
}
