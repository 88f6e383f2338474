import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Calls about rate limits that only the operator may make (ROLES-4). */

/** Names nobody: who was refused is stored as a hash. */
const hit = z.object({
  /** as in server/limits/limits.ts */
  limit: z.string(),
  /** how many accounts, devices or network addresses went over it in its present window */
  callers: z.int(),
  maximum: z.int(),
  windowSeconds: z.int(),
})

export const hitsForOperator = {
  /** Limits that somebody is over now, those with most callers first. Empty is usual. */
  list: endpoint({
    method: 'GET',
    path: 'limit',
    access: ['operator'],
    reply: z.object({ data: z.array(hit) }),
    errors: [],
    summary: 'Rate limits that have been exceeded',
  }),
}
