import { openDatabase } from '#server/db/open.ts'
import { NotItsStandby, openStandby, readPrimary, readStandby, standbyPosition } from '#server/db/replica.ts'
import type { Variables } from '#server/env-variables.ts'
import { textOf } from '../exit.ts'
import { error, ok, warning, type Finding } from './finding.ts'

const SETTING = 'READ_DATABASE_URL'
const CALL_SECONDS = 15
const TRIES = 5

/** Asks the standby of READ_DATABASE_URL whether coaches' reads can come from it, and changes nothing there. */
export async function checkReplica(set: Variables, url: string, primaryUrl: string): Promise<Finding[]> {
  const primary = await openDatabase({ url: primaryUrl, connections: 1 }, () => {}, { waitSeconds: 0, pooler: set.DATABASE_POOLER })
  const standby = openStandby(
    { url, connections: 1, callSeconds: CALL_SECONDS, pooler: primary.isPooled ? 'transaction' : 'none' },
    () => {},
  )
  try {
    const here = await readPrimary(primary.db)
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const position = standbyPosition(await readStandby(standby.db), here)
      if (position >= here.position) return [ok(SETTING, 'It is a standby of DATABASE_URL and keeps up with it.')]
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
    return [
      warning(
        SETTING,
        `It has not got what was written ${TRIES} seconds ago, so reads come from DATABASE_URL: look at pg_stat_replication there and at the standby's log. After a failover it is used from its next checkpoint.`,
      ),
    ]
  } catch (problem) {
    if (problem instanceof NotItsStandby) return [error(SETTING, `It is never read from: ${problem.message}.`)]
    const advice = primary.isPooled ? '' : ', and that no pooler is in between'
    return [
      error(
        SETTING,
        `It cannot be asked, so reads come from DATABASE_URL: ${reasonOf(problem)}. See that it runs, that host, port, user and name are right${advice}.`,
      ),
    ]
  } finally {
    await Promise.all([standby.close(), primary.close()])
  }
}

/** What the database said, and not the statement that failed. */
function reasonOf(problem: unknown): string {
  return textOf(problem instanceof Error && problem.cause instanceof Error ? problem.cause : problem)
}
