import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { paging } from './paging.ts'

/** Calls about payments that only the operator may make (ROLES-4). */

/**
 * Why somebody should compare an order with the card provider. `unpaid`: the form was completed, and the payment has not arrived. `unheard`:
 * its session must have ended, and the provider has not told us how; if there are several, the webhook does not reach us. `erased`: it was
 * paid by an account that has been erased, got nothing for it, and is listed until the whole amount is refunded.
 */
const WHY = ['unpaid', 'unheard', 'erased'] as const

/** Names nobody but the account. Amounts are in cents, times UTC instants, ISO 8601. */
const orderToCheck = z.object({
  orderId: z.string(),
  userId: z.string(),
  kind: z.enum(['assessment', 'tokens']),
  why: z.enum(WHY),
  amount: z.int(),
  currency: z.string(),
  since: z.string(),
})
export type OrderToCheck = z.output<typeof orderToCheck>

/** Tokens that were refunded after they had been spent (TOKENS-15). */
const debt = z.object({ userId: z.string(), tokens: z.int() })

export const paymentsForOperator = {
  /** One page of the orders, oldest first; `total` counts those of all pages. `owing`: the 100 coaches who owe most, without erased ones. */
  toCheck: endpoint({
    method: 'GET',
    path: 'payment',
    access: ['operator'],
    query: z.strictObject(paging),
    reply: z.object({ data: z.array(orderToCheck), total: z.int(), owing: z.array(debt) }),
    errors: [],
    summary: 'Payments that need attention',
  }),
}
