import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { instanceSummary } from './instances.ts'

/** Calls about instances that only the operator makes (ROLES-4): no portal loads them. */
export const instancesForOperator = {
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
