import * as z from 'zod/mini'
import { userTypeCode } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { paging } from './paging.ts'
import { email, requiredText } from './rules/profile.ts'
import { profile } from './users.ts'

/** Calls about accounts that only the operator may make (ROLES-4). The portal never loads them. */

/** A profile and when its account was created and closed, as UTC instants, ISO 8601. */
const account = z.object({ ...profile.shape, createdAt: z.string(), deactivatedAt: z.nullable(z.string()) })
export type Account = z.output<typeof account>

export const usersForOperator = {
  /** One page of the accounts, oldest first, closed ones included until they are erased; `total` counts those of all pages. */
  list: endpoint({
    method: 'GET',
    path: 'user',
    access: ['operator'],
    query: z.strictObject({ ...paging, email: z.optional(email('EmailInvalid')), userTypeCode: z.optional(userTypeCode) }),
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
    summary: 'Make an account, or reopen a closed one',
  }),
}
