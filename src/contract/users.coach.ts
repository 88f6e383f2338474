import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { email } from './rules/fields.ts'

/** Calls about accounts that only a coach may make. */
export const usersForCoach = {
  /**
   * Whether an open account has exactly this e-mail; nothing else about it, and rate-limited, so that it cannot serve as a directory.
   * 404 USER_NOT_FOUND.
   */
  searchByEmail: endpoint({
    method: 'GET',
    path: 'user/email-search',
    access: ['coach'],
    query: z.strictObject({ email: email('EmailInvalid') }),
    reply: z.object({ email: z.string() }),
    errors: ['INVALID_EMAIL', 'USER_NOT_FOUND'],
    summary: 'Check whether an email address has an account',
  }),
}
