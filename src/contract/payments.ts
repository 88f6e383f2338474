import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const payments = {
  /** Signed events of the card provider; only the signature decides, credentials are not looked at. */
  webhook: endpoint({
    method: 'POST',
    path: 'stripe/webhook',
    access: 'anyone',
    rawBody: true,
    reply: z.object({ received: z.literal(true) }),
    errors: ['INVALID_SIGNATURE'],
    summary: 'Events of the card payment provider',
  }),
}
