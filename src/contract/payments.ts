import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const payments = {
  /**
   * Receives the card provider's events. Authorised by their signature alone; credentials are ignored. Safe to repeat and reorder.
   * 400 INVALID_SIGNATURE, or INVALID_INPUT for a signed event without what we read; 503 if the provider cannot be reached, so that it sends the event again.
   */
  webhook: endpoint({
    method: 'POST',
    path: 'stripe/webhook',
    access: 'anyone',
    rawBody: true,
    reply: z.object({ received: z.literal(true) }),
    errors: ['INVALID_SIGNATURE'],
    summary: 'Receive events from the card payment provider',
  }),
}
