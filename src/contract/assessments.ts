import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { paging } from './paging.ts'

/** The assessments on offer, buying one, and the texts of a result. DATA-1, DATA-5, RESULTS-4 */

/** `unitAmount` in cents. A price with a nickname is a discounted one; the regular price has none. */
export const price = z.object({
  id: z.string(),
  unitAmount: z.int(),
  currency: z.string(),
  nickname: z.optional(z.nullable(z.string())),
})

export const assessment = z.object({
  assessmentId: z.string(),
  /** may contain <sup> and <sub> */
  name: z.string(),
  tagline: z.string(),
  description: z.string(),
  estimatedTimeMinutes: z.int(),
  /** what the buyer pays, in cents */
  price: z.nullable(z.object({ unitAmount: z.int(), currency: z.string() })),
  /** the regular price, in cents */
  originalPrice: z.nullable(z.object({ unitAmount: z.int(), currency: z.string() })),
  currencyCode: z.string(),
  prices: z.array(price),
  /** a file in the media host's `sample/`, in the caller's language */
  sampleReportFilename: z.string(),
})
export type Assessment = z.output<typeof assessment>

const content = z.object({ content: z.string() })
const neighbour = z.object({ value: z.string(), name: z.string(), content: z.string() })
/**
 * RESULTS-4: overview paragraphs are separated by newlines. `neighbours` are the other styles and types that the instance's result lies
 * between, nearest first, with their texts; none without an `instanceId`. Absent from replies of older servers.
 */
const resultText = z.object({
  lsiType: content,
  mbtiType: content,
  characterOverview: content,
  sportsPerformers: z.object({ content: z.array(z.object({ sportPerson: z.string() })) }),
  neighbours: z.optional(z.object({ styles: z.array(neighbour), types: z.array(neighbour) })),
})
export type ResultText = z.output<typeof resultText>

/** The id of a checkout session of the card provider, as its return URL gives it. */
export const sessionBody = z.strictObject({ session_id: z.string().check(z.minLength(1), z.maxLength(300)) })

export const assessments = {
  /** One page of the assessments on offer, in the caller's language; `total` counts those of all pages. */
  list: endpoint({
    method: 'GET',
    path: 'assessment',
    access: ['player', 'coach', 'operator'],
    query: z.strictObject(paging),
    reply: z.object({ data: z.array(assessment), total: z.int() }),
    errors: [],
    tag: 'Assessment',
    summary: 'Assessments on offer',
  }),
  /** One assessment, in the caller's language. 404 if there is no assessment with this id. */
  get: endpoint({
    method: 'GET',
    path: 'assessment/{id}',
    access: ['player', 'coach', 'operator'],
    params: z.strictObject({ id: z.string() }),
    /** anybody else's `userId` is refused with 403 (ROLES-10) */
    query: z.strictObject({ userId: z.optional(z.string()) }),
    reply: assessment,
    errors: [],
    tag: 'Assessment',
    summary: 'One assessment',
  }),
  /**
   * Opens an embedded checkout session in which a player buys one assessment: the payment form is mounted with `clientSecret`, and
   * `url` is always null. 400 INVALID_PRICE if no assessment has this price, 503 PAYMENTS_UNAVAILABLE if the card provider fails.
   */
  checkout: endpoint({
    method: 'POST',
    path: 'assessment/checkout/{priceId}',
    access: ['player'],
    params: z.strictObject({ priceId: z.string() }),
    reply: z.object({ url: z.nullable(z.string()), clientSecret: z.nullable(z.string()), sessionId: z.string() }),
    errors: ['INVALID_PRICE', 'PAYMENTS_UNAVAILABLE'],
    summary: 'Open a checkout session for an assessment',
  }),
  /**
   * Asks the card provider for the state of a session and, if it is paid, grants the instance, as the webhook does. `assessmentInstanceId`
   * is null unless `status` is `complete`. 409 PAYMENT_NOT_COMPLETE while the payment has not arrived, 404 for anybody else's session.
   */
  completeCheckout: endpoint({
    method: 'POST',
    path: 'assessment/handle-checkout-completion',
    access: ['player'],
    body: sessionBody,
    reply: z.object({ status: z.enum(['open', 'complete', 'expired']), assessmentInstanceId: z.nullable(z.string()) }),
    errors: ['PAYMENT_NOT_COMPLETE', 'PAYMENTS_UNAVAILABLE'],
    changes: ['AssessmentInstance'],
    summary: 'Verify a direct purchase',
  }),
  /**
   * The report texts of a result, in the caller's language; for players only, since a coach sees no more than the type (PRIVACY-2).
   * `lsi` and `mbti` are the `value`s of `results`. With the `instanceId` of a completed instance, the overview also mentions the
   * facets whose agreement was clearly high or low, and its neighbours come along. 404 for an unknown result, or an instance that is not the caller's.
   */
  resultText: endpoint({
    method: 'GET',
    path: 'assessment/assessment-result-text',
    access: ['player'],
    query: z.strictObject({
      mbti: z.string().check(z.maxLength(40)),
      lsi: z.string().check(z.maxLength(40)),
      instanceId: z.optional(z.string()),
    }),
    reply: resultText,
    errors: [],
    tag: 'Assessment',
    summary: 'Report texts for a result',
  }),
}
