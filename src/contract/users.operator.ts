import * as z from 'zod/mini'
import { userTypeCode } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { paging } from './paging.ts'
import { email, requiredText } from './rules/fields.ts'
import { profile } from './users.ts'

/** Calls about accounts that only the operator may make (ROLES-4). Of the portal only the operator's page loads them. */

const userId = z.strictObject({ userId: z.string().check(z.minLength(1), z.maxLength(100)) })
const address = z.strictObject({ email: email('EmailInvalid') })

/** A profile and when its account was created and closed, as UTC instants, ISO 8601. */
const account = z.object({ ...profile.shape, createdAt: z.string(), deactivatedAt: z.nullable(z.string()) })
export type Account = z.output<typeof account>

export const usersForOperator = {
  /** One page of the accounts, oldest first, closed ones included until they are erased; `total` counts those of all pages. */
  list: endpoint({
    method: 'GET',
    path: 'user',
    access: ['operator'],
    query: z.strictObject({
      ...paging,
      email: z.optional(email('EmailInvalid')),
      userId: z.optional(z.string()),
      userTypeCode: z.optional(userTypeCode),
    }),
    reply: z.object({ data: z.array(account), total: z.int() }),
    errors: ['INVALID_EMAIL', 'INVALID_USER_TYPE'],
    tag: 'User',
    summary: 'Accounts, oldest first',
  }),
  /** Creates an account, or reopens one that was closed less than 30 days ago, unchanged. 409 USER_EXISTS if the e-mail has any other account. */
  create: endpoint({
    method: 'POST',
    path: 'user',
    access: ['operator'],
    body: z.strictObject({
      email: email('EmailInvalid'),
      userTypeCode,
      firstName: z.optional(requiredText('FirstNameRequired')),
      lastName: z.optional(requiredText('LastNameRequired')),
    }),
    reply: account,
    status: 201,
    errors: ['INVALID_EMAIL', 'INVALID_USER_TYPE', 'INVALID_NAME', 'USER_EXISTS'],
    changes: ['User'],
    summary: 'Create an account or reopen a closed one',
  }),
  /** Everything that is stored about a person, closed accounts included until they are erased: rows by what they are. PRIVACY-12 */
  exportPerson: endpoint({
    method: 'GET',
    path: 'user/{userId}/export',
    access: ['operator'],
    params: userId,
    reply: z.object({
      userId: z.string(),
      /** UTC, ISO 8601 */
      at: z.string(),
      data: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
    }),
    errors: [],
    summary: 'Export everything stored about a person',
  }),
  /** Closes and erases an account for good, without the 30 days. 404 unless `email` is that of the account. */
  erase: endpoint({
    method: 'POST',
    path: 'user/{userId}/erase',
    access: ['operator'],
    params: userId,
    body: address,
    reply: z.undefined(),
    status: 204,
    errors: ['INVALID_EMAIL'],
    changes: ['User', 'AssessmentInstance', 'CoachAssessments'],
    summary: 'Erase a person',
  }),
  /** Nobody signs in with the address from now on (ADDRESS_BLOCKED), and it gets no invitations. Its account need not exist. ROLES-13 */
  block: endpoint({
    method: 'POST',
    path: 'user/block',
    access: ['operator'],
    body: address,
    reply: z.object({ userId: z.nullable(z.string()), sessionsEnded: z.int() }),
    errors: ['INVALID_EMAIL'],
    changes: ['Session'],
    summary: 'Block an email address',
  }),
  /** Takes the block of an address away; 404 if there is none. */
  unblock: endpoint({
    method: 'POST',
    path: 'user/unblock',
    access: ['operator'],
    body: address,
    reply: z.undefined(),
    status: 204,
    errors: ['INVALID_EMAIL'],
    changes: ['Session'],
    summary: 'Unblock an email address',
  }),
}
