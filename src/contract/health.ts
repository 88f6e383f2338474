import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { HEALTH_REPLY } from './rules/health-reply.ts'

export const health = {
  /** The portal counts as online when it gets exactly this reply (OFFLINE-1). 503 if the database does not reply. */
  get: endpoint({
    method: 'GET',
    path: 'health',
    access: 'anyone',
    anyVersion: true,
    reply: z.object({ status: z.literal(HEALTH_REPLY.status), service: z.literal(HEALTH_REPLY.service) }),
    errors: [],
    summary: 'Health of the API and its database',
  }),
}
