import type { tokens } from '#contract/tokens.ts'
import type { Handler } from '../http/handler.ts'
import { verifySession } from '../payments/verify-session.ts'

/** Adds the tokens of a paid session. BUY-17 */
export const completeCheckout: Handler<typeof tokens.completeCheckout> = async (input) => {
  const { status } = await verifySession(input, 'tokens')
  return { status }
}
