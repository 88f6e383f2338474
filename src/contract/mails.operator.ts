import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { paging } from './paging.ts'
import { BOUNCE_REASONS } from './rules/statuses.ts'

/** Names nobody. Times are UTC instants, ISO 8601. */
const bouncedMail = z.object({
  mailId: z.string(),
  kind: z.string(),
  /** null: about an account */
  instanceId: z.nullable(z.string()),
  sentAt: z.nullable(z.string()),
  bouncedAt: z.string(),
  why: z.enum(BOUNCE_REASONS),
  /** of the mail server that refused it, such as `550 5.1.1` */
  code: z.string(),
})
export type BouncedMail = z.output<typeof bouncedMail>

/** Calls about mails that only the operator may make (ROLES-4). Of the portal only the operator's page loads them. */
export const mailsForOperator = {
  /** One page of the mails that came back in the last 30 days, newest first; `total` counts those of all pages. */
  bounces: endpoint({
    method: 'GET',
    path: 'mail/bounce',
    access: ['operator'],
    query: z.strictObject({ ...paging }),
    reply: z.object({ data: z.array(bouncedMail), total: z.int() }),
    errors: [],
    tag: 'Job',
    summary: 'Bounced emails and their reasons',
  }),
}
