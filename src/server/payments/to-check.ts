import type { paymentsForOperator } from '#contract/payments.operator.ts'
import type { Handler } from '../http/handler.ts'
import { pageOfOrdersToCheck, readDebts } from './to-check-store.ts'

/** GET payment. OPERATE-23, API-51 */
export const toCheck: Handler<typeof paymentsForOperator.toCheck> = async ({ query, deps: { db, clock } }) => {
  const { rows, total } = await pageOfOrdersToCheck(db, query, clock.now())
  const data = rows.map(({ createdAt, status, id, amountTotal, ...order }) => ({
    ...order,
    orderId: id,
    amount: amountTotal,
    why: status === 'paid' ? ('unpaid' as const) : ('unheard' as const),
    since: createdAt.toISOString(),
  }))
  return { data, total, owing: await readDebts(db) }
}
