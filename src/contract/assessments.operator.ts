import * as z from 'zod/mini'
import { assessment, price } from './assessments.ts'
import { PRICE_MAXIMUM } from './constants.ts'
import { endpoint } from './endpoint.ts'

/** Calls about assessments that only the operator may make (ROLES-4). Of the portal only the operator's page loads them. */

const text = z.string().check(z.trim(), z.minLength(1), z.maxLength(2000))
const newAssessment = z.strictObject({
  assessmentId: z.string().check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/), z.maxLength(100)),
  name: text,
  tagline: text,
  description: text,
  estimatedTimeMinutes: z.int().check(z.gte(1), z.lte(600)),
  prices: z
    .array(
      z.strictObject({
        id: z.string().check(z.regex(/^[\w-]{1,200}$/)),
        unitAmount: z.int().check(z.gte(0), z.lte(PRICE_MAXIMUM)),
        currency: z.string().check(z.regex(/^[A-Za-z]{3}$/)),
        nickname: price.shape.nickname,
      }),
    )
    .check(z.minLength(1), z.maxLength(20)),
  sampleReportFilename: z.string().check(z.regex(/^[\w-]+(\.[\w-]+)*\.pdf$/), z.maxLength(200)),
  // of an assessment as a reply has it; they follow from its prices, and are not read
  price: z.optional(assessment.shape.price),
  originalPrice: z.optional(assessment.shape.originalPrice),
  currencyCode: z.optional(assessment.shape.currencyCode),
})

export const assessmentsForOperator = {
  /**
   * Puts another assessment on offer: the existing questionnaire with the operator's own texts, and prices in cents.
   * 409 ASSESSMENT_EXISTS if `assessmentId` or the id of a price is already taken.
   */
  create: endpoint({
    method: 'POST',
    path: 'assessment',
    access: ['operator'],
    body: newAssessment,
    reply: assessment,
    status: 201,
    errors: ['ASSESSMENT_EXISTS'],
    changes: ['Assessment'],
    summary: 'Create an assessment to offer',
  }),
}
