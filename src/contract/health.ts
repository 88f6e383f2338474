import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const health = {
  /** The right body is what "online" means to the portal (OFFLINE-1). 503 when the database does not answer. */
  get: endpoint({
    method: 'GET',
    path: 'health',
    access: 'anyone',
    anyVersion: true,
    reply: z.object({ status: z.literal('ok'), service: z.literal('touchline') }),
    errors: [],
    summary: 'Is the API there, with its database?',
  }),
}
