import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { PgBoss } from 'pg-boss'
import { describe, expect, onTestFinished, test } from 'vitest'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase, type DatabaseLocation } from '#server/db/open.ts'
import { movableClock } from '#tests/support/person.ts'
import { emptyDatabase, engines, unmigratedDatabase, type Engine } from '#tests/support/databases.ts'
import { timePasses } from '#tests/support/jobs.ts'
import { temporaryFolder } from '#tests/sandbox/support.ts'
import { serverWithMail } from '#tests/server/mailer/support.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../src/server/db/migrations/', import.meta.url))
const JOBS = (await readdir(MIGRATIONS)).find((name) => name.endsWith('_jobs.sql')) ?? ''

/** The migrations that were there before the job engine. */
async function earlierMigrations(): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-earlier-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await cp(MIGRATIONS, folder, { recursive: true })
  for (const name of await readdir(folder)) if (name >= JOBS && name.endsWith('.sql')) await rm(join(folder, name))
  return pathToFileURL(`${folder}/`)
}

const INSTANCE = crypto.randomUUID()
const COACH = crypto.randomUUID()

/** A mail in the queue of the builds before. */
const mail = (name: string, state: string) => `
  insert into mails (kind, "to", to_normal, instance_id, language, facts, created_at, tries, next_try_at, sent_at, failed_at)
  values ('invitation', '${name}@club.test', '${name}@club.test', '${INSTANCE}', 'en', '{"coach": "", "assessment": "A", "tagline": "", "minutes": "9"}',
    now() - interval '1 hour', 1, ${state})`

async function databaseThatStays(database: Engine): Promise<DatabaseLocation> {
  if (database === 'embedded') return { folder: await temporaryFolder() }
  const { location, drop } = await unmigratedDatabase(database)
  onTestFinished(drop)
  return location
}

describe.each(engines)('the tables of jobs (%s)', (database) => {
  test('are those that this version of pg-boss expects', async () => {
    const { location, drop } = await emptyDatabase(database)
    onTestFinished(drop)
    const { forJobs, close } = await openDatabase(location, () => {})
    onTestFinished(close)
    const boss = new PgBoss({ ...forJobs, schema: 'jobs', migrate: false, supervise: false, schedule: false, registerInstance: false })
    await boss.start()
    const drift = await boss.detectSchemaDrift()
    await boss.stop({ close: false })
    expect(drift).toMatchObject({ ok: true, extraIndexes: [], missingTables: [] })
  })

  test('take over every mail that waits in the queue of earlier builds, with its due time, and no other mail', async () => {
    const location = await databaseThatStays(database)
    const earlier = await openDatabase(location, () => {})
    await migrate(earlier.withoutTimeouts, await earlierMigrations())
    const { db } = earlier
    await db.execute(
      `insert into users (id, email, email_normal, user_type, created_at) values ('${COACH}', 'c@b.test', 'c@b.test', 'coach', now())`,
    )
    await db.execute(`insert into assessments (id, prices, sample_report_filename, video_urls, content_version)
      values ('touchline-profile', '[]', 'sample.pdf', '[]', 'touchline-profile-1')`)
    await db.execute(`insert into instances (id, assessment_id, content_version, email, email_normal, coach_id, status, allocated_at, created_at)
      values ('${INSTANCE}', 'touchline-profile', 'touchline-profile-1', 'p@b.test', 'p@b.test', '${COACH}', 'ALLOCATED', now(), now())`)
    await db.execute(mail('due', `now() - interval '1 second', null, null`))
    await db.execute(mail('being.sent', `now() + interval '90 seconds', null, null`))
    await db.execute(mail('later', `now() + interval '5 hours', null, null`))
    await db.execute(mail('sent', `null, now(), null`))
    await db.execute(mail('gave.up', `null, null, now()`))
    await db.execute(mail('cancelled.then.sent', `null, now(), now()`))
    await earlier.close()

    const { server, smtp } = await serverWithMail({ location, clock: movableClock(new Date()) })
    await server.deps.jobs.settled('mails')
    const sent = () => smtp.delivered.map(({ to }) => to.split('@')[0]).toSorted()
    expect(sent()).toEqual(['due'])
    await timePasses(server, 91)
    await server.deps.jobs.settled('mails')
    expect(sent()).toEqual(['being.sent', 'due'])
    await timePasses(server, 5 * 3600)
    await server.deps.jobs.settled('mails')
    expect(sent()).toEqual(['being.sent', 'due', 'later'])
  }, 120_000)
})
