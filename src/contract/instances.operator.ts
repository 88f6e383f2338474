import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { instanceSummary } from './instances.ts'
import { email } from './rules/fields.ts'

/** Calls about instances that only the operator may make (ROLES-4). Of the portal only the operator's page loads them. */
export const instancesForOperator = {
  /** Grants a player an OWNED instance. 404 for an unknown user or assessment, 409 COACH_ALLOCATION_NOT_ALLOWED for a coach. */
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
  /** Sends the pending invitations of an address again, within the limits of mails, even if mail to it came back. 404 if nothing is pending there. */
  resendTo: endpoint({
    method: 'POST',
    path: 'assessment/assessment-instance/resend-to',
    access: ['operator'],
    body: z.strictObject({ email: email('EmailInvalid') }),
    reply: z.object({
      data: z.array(
        z.object({
          instanceId: z.string(),
          /** queued, or why no mail goes */
          outcome: z.enum(['queued', 'completed', 'unknown', 'unwanted', 'bounced', 'limit', 'address-limit']),
        }),
      ),
    }),
    errors: ['INVALID_EMAIL'],
    changes: ['CoachAssessments'],
    summary: 'Resend the pending invitations of an email address',
  }),
}
