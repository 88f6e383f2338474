import { ASSESSMENT_ID, currentVersionOf, sampleReportOf } from '../content/content.ts'
import type { Env } from '../env.ts'
import type { Database } from './database.ts'
import { assessments, type Video } from './schema/assessments.ts'

/** Writes the offer of the content and the settings. Repeated at every start, so a new price needs no SQL. */
export async function seedAssessments(db: Database, env: Env): Promise<void> {
  const row = {
    prices: env.prices,
    sampleReportFilename: sampleReportOf(ASSESSMENT_ID, 'en'),
    videoUrls: env.videos.map((video): Video => {
      if (typeof video === 'string') return video
      const { url, thumbnail, title } = video
      return { url, ...(thumbnail === undefined ? {} : { thumbnail }), ...(title === undefined ? {} : { title }) }
    }),
    contentVersion: currentVersionOf(ASSESSMENT_ID),
  }
  await db
    .insert(assessments)
    .values({ id: ASSESSMENT_ID, ...row })
    .onConflictDoUpdate({ target: assessments.id, set: row })
}
