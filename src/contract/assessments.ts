import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { paging } from './paging.ts'

/** What can be taken, and buying it. DATA-1, DATA-5, RESULTS-4 */

/** `unitAmount` in cents. The price without a nickname is the regular one, the one with a nickname the discounted. */
export const price = z.object({
  id: z.string(),
  unitAmount: z.int(),
  currency: z.string(),
  nickname: z.optional(z.nullable(z.string())),
})

export const assessment = z.object({
  assessmentId: z.string(),
  /** may carry <sup> and <sub> */
  name: z.string(),
  tagline: z.string(),
  description: z.string(),
  estimatedTimeMinutes: z.int(),
  price: z.nullable(z.object({ unitAmount: z.int(), currency: z.string() })),
  originalPrice: z.nullable(z.object({ unitAmount: z.int(), currency: z.string() })),
  currencyCode: z.string(),
  prices: z.array(price),
  /** below the media host's `sample/`, in the caller's language */
  sampleReportFilename: z.string(),
})
export type Assessment = z.output<typeof assessment>

const content = z.object({ content: z.string() })
/** RESULTS-4: overview paragraphs are separated by newlines. */
export const resultText = z.object({
  lsiType: content,
  mbtiType: content,
  characterOverview: content,
  sportsPerformers: z.object({ content: z.array(z.object({ sportPerson: z.string() })) }),
})
export type ResultText = z.output<typeof resultText>

/** The provider's checkout session, as its return page names it. */
export const sessionBody = z.strictObject({ session_id: z.string().check(z.minLength(1), z.maxLength(300)) })

export const assessments = {
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
  get: endpoint({
    method: 'GET',
    path: 'assessment/{id}',
    access: ['player', 'coach', 'operator'],
    params: z.strictObject({ id: z.string() }),
    /** `userId` of somebody else answers 403 (ROLES-10) */
    query: z.strictObject({ userId: z.optional(z.string()) }),
    reply: assessment,
    errors: [],
    tag: 'Assessment',
    summary: 'One assessment',
  }),
  /** Embedded checkout of one assessment by a player: `url` is null, the form is mounted with `clientSecret`. */
  checkout: endpoint({
    method: 'POST',
    path: 'assessment/checkout/{priceId}',
    access: ['player'],
    params: z.strictObject({ priceId: z.string() }),
    reply: z.object({ url: z.nullable(z.string()), clientSecret: z.nullable(z.string()), sessionId: z.string() }),
    status: 200,
    errors: ['INVALID_PRICE', 'PAYMENTS_UNAVAILABLE'],
    summary: 'Open a checkout session for an assessment',
  }),
  /** Asks the provider, grants if it is paid (the webhook does the same), says what came of it. */
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
   * Words for a result in the caller's language: the player's, a coach reads what stands (PRIVACY-2). `lsi` and `mbti`
   * are the `value`s of `results`; with a completed `instanceId` the overview also speaks of what its agreement items
   * say clearly.
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
