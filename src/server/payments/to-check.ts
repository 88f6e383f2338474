import type { OrderToCheck, paymentsForOperator } from '#contract/payments.operator.ts'
import type { Handler } from '../http/handler.ts'
import type { Order } from './store.ts'
import { pageOfOrdersToCheck, readDebts } from './to-check-store.ts'

/** GET payment. OPERATE-23, API-51 */
export const toCheck: Handler<typeof paymentsForOperator.toCheck> = async ({ query, deps: { db, clock } }) => {
  const { rows, total } = await pageOfOrdersToCheck(db, query, clock.now())
  const data = rows.map(({ createdAt, status, refunded, id, amountTotal, ...order }) => ({
    ...order,
    orderId: id,
    amount: amountTotal,
    why: whyOf(status, refunded),
    since: createdAt.toISOString(),
  }))
  return { data, total, owing: await readDebts(db) }
}

function whyOf(status: Order['status'], refunded: number | null): OrderToCheck['why'] {
  if (status === 'open') return 'unheard'
  return refunded === null ? 'unpaid' : 'erased'
}
