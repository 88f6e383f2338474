import * as z from 'zod/mini'
import { price, sessionBody } from './assessments.ts'
import { bounce } from './bounces.ts'
import { endpoint } from './endpoint.ts'
import { pageOfRows } from './paging.ts'
import { INSTANCE_STATUSES, INVITATION_STATES, TOKEN_STATUSES } from './rules/statuses.ts'

/** A coach's tokens and buying more of them. One token allocates one assessment to one player. TOKENS-9 to TOKENS-20, API-35 */

/**
 * A row of the token table, in the order of TOKENS-19. An AVAILABLE row is an unused token, with all other fields null; the others are
 * instances that the coach allocated and did not reclaim.
 */
const tokenRow = z.object({
  /** 1, 2, 3 …, continued from page to page */
  index: z.int(),
  status: z.enum(TOKEN_STATUSES),
  /** the player's e-mail */
  assignedTo: z.nullable(z.string()),
  /** the player's own name once the brief was opened, before that as the coach typed it. Absent from replies of older servers */
  assignedName: z.optional(z.nullable(z.string())),
  /** when the last invitation was sent: UTC instant, ISO 8601 */
  dateSent: z.nullable(z.string()),
  assessmentId: z.nullable(z.string()),
  /** null until the player has opened the brief (PRIVACY-3) */
  userId: z.nullable(z.string()),
  instanceId: z.nullable(z.string()),
  /** IN_PROGRESS: the player has begun, which the portal must point out before a reclaim (ASSIGN-20) */
  instanceStatus: z.nullable(z.enum(INSTANCE_STATUSES)),
  invitation: z.nullable(z.enum(INVITATION_STATES)),
  /** if the invitation was held back: when one may be sent, UTC instant. Absent from replies of older servers */
  heldUntil: z.optional(z.nullable(z.string())),
  /** if mail to the address came back. Absent from replies of older servers */
  bounced: z.optional(z.nullable(bounce)),
})
export type TokenRow = z.output<typeof tokenRow>

/** With condition BULK_BUY and type PERCENT_OFF: `promotionValue` percent off from `conditionValue` tokens. Others are ignored. TOKENS-9 */
const promotion = z.object({
  condition: z.string(),
  promotionType: z.string(),
  conditionValue: z.number(),
  promotionValue: z.number(),
})

export const tokens = {
  /**
   * The caller's tokens. `total`, `used` and `available` always agree with the rows, since one statement reads them all. `limit` returns
   * one page of the rows; the counts are those of the whole table.
   */
  list: endpoint({
    method: 'GET',
    path: 'tokens',
    access: ['coach'],
    /** anybody else's `userId` is refused with 403 (ROLES-10) */
    query: z.strictObject({ userId: z.optional(z.string()), ...pageOfRows }),
    reply: z.object({
      total: z.int(),
      used: z.int(),
      available: z.int(),
      /** refunded after they were used: settled by the next ones bought or returned (TOKENS-15). Absent from replies of older servers */
      owed: z.optional(z.int()),
      tokens: z.array(tokenRow),
    }),
    errors: [],
    tag: 'Token',
    summary: 'Your tokens: how many you have and how each was used',
  }),
  /** What tokens cost, in cents: the portal uses the first of `priceIds`. TOKENS-9 */
  pricing: endpoint({
    method: 'GET',
    path: 'assessment/token/stripe-details',
    access: ['coach'],
    reply: z.object({ priceIds: z.array(z.string()), prices: z.array(price), promotions: z.array(promotion) }),
    errors: [],
    tag: 'Token',
    summary: 'Token prices and bulk discount',
  }),
  /**
   * Opens an embedded checkout session for 1 to 100 tokens. The server computes the amount: the price of `priceId` times `quantity`,
   * less the promotion if it applies. 400 INVALID_PRICE or INVALID_QUANTITY, 503 PAYMENTS_UNAVAILABLE if the card provider fails.
   */
  checkout: endpoint({
    method: 'POST',
    path: 'assessment/token/checkout/{priceId}/{quantity}',
    access: ['coach'],
    params: z.strictObject({ priceId: z.string(), quantity: z.string() }),
    reply: z.object({ clientSecret: z.nullable(z.string()), sessionId: z.string() }),
    errors: ['INVALID_PRICE', 'INVALID_QUANTITY', 'PAYMENTS_UNAVAILABLE'],
    summary: 'Open a checkout session for tokens',
  }),
  /**
   * Asks the card provider for the state of a session and, if it is paid, adds the tokens, as the webhook does.
   * 409 PAYMENT_NOT_COMPLETE while the payment has not arrived, 404 for anybody else's session.
   */
  completeCheckout: endpoint({
    method: 'POST',
    path: 'assessment/token/handle-checkout-completion',
    access: ['coach'],
    body: sessionBody,
    reply: z.object({ status: z.enum(['open', 'complete', 'expired']) }),
    errors: ['PAYMENT_NOT_COMPLETE', 'PAYMENTS_UNAVAILABLE'],
    changes: ['Token'],
    summary: 'Verify a token purchase',
  }),
}
