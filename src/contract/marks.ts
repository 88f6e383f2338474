import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { MARKS, PARAGRAPH, PARAGRAPHS_MAXIMUM } from './rules/paragraph-marks.ts'

/** A player's own marks on the paragraphs of a result. RESULTS-19 */

const EPOCH_MS_MAXIMUM = 8_640_000_000_000_000

const paragraphMark = z.strictObject({
  paragraph: z.string().check(z.regex(PARAGRAPH, { error: 'ParagraphUnknown' })),
  /** null: taken away */
  mark: z.nullable(z.enum(MARKS, { error: 'MarkUnknown' })),
  /** when the player tapped, epoch ms */
  at: z.int().check(z.gte(0), z.lte(EPOCH_MS_MAXIMUM)),
})

const marksBody = z.strictObject({
  marks: z.array(paragraphMark).check(
    z.minLength(1, { error: 'MarksMissing' }),
    z.maxLength(PARAGRAPHS_MAXIMUM, { error: 'ParagraphTwice' }),
    z.refine((marks) => new Set(marks.map(({ paragraph }) => paragraph)).size === marks.length, { error: 'ParagraphTwice' }),
  ),
})

const markList = z.object({ marks: z.array(paragraphMark) })

const ofInstance = {
  path: 'assessment/assessment-instance/{instanceId}/marks',
  access: ['player'],
  params: z.strictObject({ instanceId: z.string() }),
  reply: markList,
  errors: ['NOT_COMPLETE', 'INSTANCE_RECLAIMED'],
} as const

export const marks = {
  /**
   * The caller's marks on this result, with those taken away. 404 if the instance is not theirs; 409 NOT_COMPLETE before there is a
   * result, INSTANCE_RECLAIMED after a reclaim.
   */
  list: endpoint({ ...ofInstance, method: 'GET', summary: 'Your marks on the paragraphs of a result' }),
  /**
   * Saves marks and replies with all of them. Of two marks on one paragraph the later stays, of the same moment the stored one; a time
   * that lies ahead counts as now. Idempotent. Refusals as for `list`.
   */
  save: endpoint({ ...ofInstance, method: 'PUT', body: marksBody, summary: 'Mark paragraphs of your result (idempotent)' }),
}
