import * as z from 'zod/mini'
import { price, sessionBody } from './assessments.ts'
import { endpoint } from './endpoint.ts'
import { pageOfRows } from './paging.ts'
import { INSTANCE_STATUSES, INVITATION_STATES, TOKEN_STATUSES } from './rules/statuses.ts'

/** A coach's tokens: the count, the rows, buying more. One token is one assessment for one player. TOKENS-9 to TOKENS-20, API-35 */

/**
 * A row of the token table, in the order of TOKENS-19. An AVAILABLE row is an unused token and has nothing but its
 * status; the others are the instances that the coach gave away and did not take back.
 */
export const tokenRow = z.object({
  /** 1, 2, 3 … through the whole table */
  index: z.int(),
  status: z.enum(TOKEN_STATUSES),
  /** the player's e-mail */
  assignedTo: z.nullable(z.string()),
  /** the player's own name once the brief was opened, until then as the coach typed it. Not said by a server that does not know of it */
  assignedName: z.optional(z.nullable(z.string())),
  /** when the last invitation was sent: UTC instant, ISO 8601 */
  dateSent: z.nullable(z.string()),
  assessmentId: z.nullable(z.string()),
  /** null until the player has opened the brief (PRIVACY-3) */
  userId: z.nullable(z.string()),
  instanceId: z.nullable(z.string()),
  /** IN_PROGRESS: the player has begun, which Reclaim must say (ASSIGN-20) */
  instanceStatus: z.nullable(z.enum(INSTANCE_STATUSES)),
  invitation: z.nullable(z.enum(INVITATION_STATES)),
  /** an invitation that was held back: from when one may be sent, UTC instant. Not said by a server that does not know of it */
  heldUntil: z.optional(z.nullable(z.string())),
})
export type TokenRow = z.output<typeof tokenRow>

/** TOKENS-9: the one used has condition BULK_BUY and type PERCENT_OFF: from `conditionValue` tokens, `promotionValue` percent. */
export const promotion = z.object({
  condition: z.string(),
  promotionType: z.string(),
  conditionValue: z.number(),
  promotionValue: z.number(),
})
export type Promotion = z.output<typeof promotion>

export const tokens = {
  /**
   * `total`, `used` and `available` agree with the rows at every moment: they are read in one statement's snapshot. With
   * a `limit` the rows come by pages, and the counts are still those of all.
   */
  list: endpoint({
    method: 'GET',
    path: 'tokens',
    access: ['coach'],
    /** `userId` of somebody else answers 403 (ROLES-10) */
    query: z.strictObject({ userId: z.optional(z.string()), ...pageOfRows }),
    reply: z.object({ total: z.int(), used: z.int(), available: z.int(), tokens: z.array(tokenRow) }),
    errors: [],
    tag: 'Token',
    summary: 'The own tokens: how many, and what became of each',
  }),
  /** TOKENS-9: the first price id is used; `prices` says what it costs, cents. */
  pricing: endpoint({
    method: 'GET',
    path: 'assessment/token/stripe-details',
    access: ['coach'],
    reply: z.object({ priceIds: z.array(z.string()), prices: z.array(price), promotions: z.array(promotion) }),
    errors: [],
    tag: 'Token',
    summary: 'What tokens cost, and the bulk discount',
  }),
  /** The amount is the server's: the price of `priceId` times `quantity`, less the promotion where it applies. */
  checkout: endpoint({
    method: 'POST',
    path: 'assessment/token/checkout/{priceId}/{quantity}',
    access: ['coach'],
    params: z.strictObject({ priceId: z.string(), quantity: z.string() }),
    reply: z.object({ clientSecret: z.nullable(z.string()), sessionId: z.string() }),
    errors: ['INVALID_PRICE', 'INVALID_QUANTITY', 'PAYMENTS_UNAVAILABLE'],
    summary: 'Open a checkout session for tokens',
  }),
  /** Asks the provider, grants if it is paid (the webhook does the same), says what came of it. */
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
