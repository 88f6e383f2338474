import * as z from 'zod/mini'
import { userTypeCode } from './auth.ts'
import { assessment, price } from './assessments.ts'
import { PRICE_MAXIMUM } from './constants.ts'
import { endpoint } from './endpoint.ts'
import { instanceSummary } from './instances.ts'
import { paging } from './paging.ts'
import { email, requiredText } from './rules/profile.ts'
import { profile } from './users.ts'

/** Calls of whoever operates the product (ROLES-4), in a file of their own: no portal loads them. `api` has them in their subjects. */

/** A profile with the state of its account. UTC instants, ISO 8601 */
export const account = z.object({ ...profile.shape, createdAt: z.string(), deactivatedAt: z.nullable(z.string()) })
export type Account = z.output<typeof account>

const users = {
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
  /** Makes an account, or reopens one that was closed less than 30 days ago, which then is as it was. */
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

const instances = {
  create: endpoint({
    method: 'POST',
    path: 'assessment/assessment-instance',
    access: ['operator'],
    body: z.strictObject({ userId: z.string(), assessmentId: z.string() }),
    reply: instanceSummary,
    status: 201,
    errors: ['COACH_ALLOCATION_NOT_ALLOWED'],
    changes: ['AssessmentInstance'],
    summary: 'Give a player an assessment',
  }),
}

const text = z.string().check(z.trim(), z.minLength(1), z.maxLength(2000))
const newAssessment = z.strictObject({
  assessmentId: z.string().check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/), z.maxLength(100)),
  name: text,
  tagline: text,
  description: text,
  estimatedTimeMinutes: z.int().check(z.gte(1), z.lte(600)),
  prices: z
    .array(
      z.strictObject({
        id: z.string().check(z.regex(/^[\w-]{1,200}$/)),
        unitAmount: z.int().check(z.gte(0), z.lte(PRICE_MAXIMUM)),
        currency: z.string().check(z.regex(/^[A-Za-z]{3}$/)),
        nickname: price.shape.nickname,
      }),
    )
    .check(z.minLength(1), z.maxLength(20)),
  sampleReportFilename: z.string().check(z.regex(/^[\w-]+(\.[\w-]+)*\.pdf$/), z.maxLength(200)),
})

const assessments = {
  /** A further offer of the questionnaire there is, in the operator's words and at their prices. */
  create: endpoint({
    method: 'POST',
    path: 'assessment',
    access: ['operator'],
    body: newAssessment,
    reply: assessment,
    status: 201,
    errors: ['ASSESSMENT_EXISTS'],
    changes: ['Assessment'],
    summary: 'Offer an assessment',
  }),
}

export const operator = { users, instances, assessments } as const
