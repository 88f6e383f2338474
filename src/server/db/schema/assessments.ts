import { jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { Price } from '#contract/rules/pricing.ts'
import type { AssessmentWords } from '../../content/words.ts'

export type Video = string | { url: string; thumbnail?: string; title?: string }

export const assessments = pgTable('assessments', {
  id: text('id').primaryKey(),
  prices: jsonb('prices').$type<Price[]>().notNull(),
  sampleReportFilename: text('sample_report_filename').notNull(),
  videoUrls: jsonb('video_urls').$type<Video[]>().notNull().default([]),
  /** new instances are pinned to it (ANSWERS-15) */
  contentVersion: text('content_version').notNull(),
  /** the operator's texts; null: the content's own, in each language */
  words: jsonb('words').$type<AssessmentWords>(),
})
