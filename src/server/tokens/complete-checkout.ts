import type { tokens } from '#contract/tokens.ts'
import type { Handler } from '../http/handle.ts'
import { verifySession } from '../payments/verify-session.ts'

export const completeCheckout: Handler<typeof tokens.completeCheckout> = async (asked) => {
  const { status } = await verifySession(asked, 'tokens')
  return { status }
}
