import { daysBefore } from '#contract/rules/dates.ts'
import { countCutOff, listAuditGaps } from '#server/audit/restored-store.ts'
import { isSealedByOthers } from '#server/audit/last-key-store.ts'
import { readHeads } from '#server/audit/heads.ts'
import { bindSealKeys, sealKeysOf } from '#server/audit/seals.ts'
import type { Database } from '#server/db/database.ts'
import { listErasedPeopleInBackup } from '#server/db/erased-before-restore.ts'
import { readRestoreMark } from '#server/db/restore-mark.ts'
import { s3Of } from '#server/env.ts'
import type { Variables } from '#server/env-variables.ts'
import { MediaError } from '#server/outside/media.ts'
import { s3Media } from '#server/outside/media-s3.ts'
import { describeErasedPeople } from '../erased-people.ts'
import { describeAuditGap } from '../audit-gap.ts'
import { error, warning, type Finding } from './finding.ts'

const NAMED_DAYS = 30

/** What restores left undone, and whether the audit log has what it had. */
export async function checkAudit(db: Database, set: Variables, now: Date): Promise<Finding[]> {
  const mark = await readRestoreMark(db)
  const back = describeErasedPeople(await listErasedPeopleInBackup(db, now)).map((sentence) => warning('DATABASE_URL', sentence))
  if (mark && !mark.heads)
    return [
      ...back,
      warning(
        'DATABASE_URL',
        `A restore that began at ${mark.begunAt} was killed before it was in the audit log: start a server, which finishes it, or repeat it.`,
      ),
    ]
  const lacking = await listAuditGaps(db, daysBefore(now, NAMED_DAYS))
  const after = lacking.map((one) => warning('AUDIT', `After a restore at ${one.at.toISOString()}: ${describeAuditGap(one)}`))
  const found = [...back, ...after]
  if (mark)
    return [
      ...found,
      warning(
        'AUDIT',
        `The log restored at ${mark.begunAt} is not yet compared with the one before: a running server does it within an hour.`,
      ),
    ]
  return [...found, ...(await checkKey(db, set)), ...(await checkHeads(db, set))]
}

async function checkKey(db: Database, set: Variables): Promise<Finding[]> {
  const [first, ...others] = set.AUDIT_KEY
  if (first === undefined) return []
  bindSealKeys(db, [first, ...others])
  if (!(await isSealedByOthers(db))) return []
  return [
    error(
      'AUDIT_KEY',
      'It is not the one that seals the audit log of this database: bring back that key, or name the database that belongs to it.',
    ),
  ]
}

async function checkHeads(db: Database, set: Variables): Promise<Finding[]> {
  const s3 = s3Of(set)
  const [first, ...others] = set.AUDIT_KEY
  if (!s3 || first === undefined) return []
  bindSealKeys(db, [first, ...others])
  try {
    const heads = await readHeads(s3Media(s3), sealKeysOf(db))
    if (heads === 'absent') return []
    if (heads === 'foreign')
      return [error('AUDIT', 'audit/heads.json in the bucket was not sealed by AUDIT_KEY: restore that key, or find out who wrote it.')]
    if (heads.broken.length > 0)
      return [
        error(
          'AUDIT',
          `The audit log is not intact (streams: ${heads.broken.join(', ')}): entries were changed, removed or added. The server's log names them every hour.`,
        ),
      ]
    const missing = await countCutOff(db, heads)
    if (missing === 0) return []
    return [
      error(
        'AUDIT',
        `The audit log lacks what it had at ${heads.at.toISOString()} (entries: ${missing}): somebody removed them, or put an older database there without \`touchline restore\`.`,
      ),
    ]
  } catch (problem) {
    // the store has a check of its own
    if (problem instanceof MediaError) return []
    throw problem
  }
}
