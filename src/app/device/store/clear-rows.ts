import { DRAFT_KEY } from '#app/device/assign-draft-key.ts'
import { isMarkList, isMarksKey, isUnsentMark } from '#app/device/stored-marks.ts'
import type { Erasure } from '#app/session/left-accounts.ts'
import type { Clearing } from '#app/session/pending-clearing.ts'
import { unsentOf } from '#app/sync/sync.ts'
import type { InstanceSummary } from '#contract/instances.ts'
import { isOpen } from '#contract/rules/statuses.ts'
import { db, withDatabase } from './db.ts'
import { laterSession, removeSession } from './last-session.ts'
import type { StoredInstance, StoredRead } from './stored.ts'

const instanceTables = () => [db.answers, db.receipts, db.late, db.operations, db.definitions, db.instances]

/**
 * Removes a person's rows; with `keepUnsent`, all but what the server does not have. docs/decisions/0032-what-stays-on-a-device.md
 * @param lost a session that the browser has lost, and the database has a note of
 * @returns the id of the session in which they have signed in again since they signed out: then everything stays
 */
export function clearRows(clearing: Clearing, lost?: string): Promise<string | undefined> {
  const { userId, keepUnsent, keepOpen = false } = clearing
  return withDatabase(() =>
    db.transaction('rw', [...instanceTables(), db.reads, db.device], async () => {
      const later = await laterSession(clearing)
      if (later !== undefined && later !== lost) return later
      const kept = keepUnsent ? await rowsToKeep(userId, keepOpen) : undefined
      for (const table of instanceTables()) await table.filter((row) => row.userId === userId).delete()
      const reads = await db.reads.filter((row) => row.userId === userId).toArray()
      await db.reads.bulkDelete(reads.map(({ key }) => [userId, key]))
      const keptReads = keepUnsent ? reads.flatMap(unsentOfRead) : []
      await db.reads.bulkPut(keptReads)
      // what is kept needs it still: an earlier sign-out that discards may be held up
      if (!kept || [keptReads, ...Object.values(kept)].every(({ length }) => length === 0)) await removeSession(userId)
      if (!kept) return undefined
      await Promise.all([
        db.answers.bulkPut(kept.answers),
        db.receipts.bulkPut(kept.receipts),
        db.late.bulkPut(kept.late),
        db.operations.bulkPut(kept.operations),
        db.instances.bulkPut(
          kept.instances.map((instance) => ({ ...instance, summary: withoutPersonalData(instance.summary), languages: [] })),
        ),
      ])
      return undefined
    }),
  )
}

const ERASED_NOTE = 'erased'

/**
 * Removes everything of an erased account, and notes in the same transaction how many unsent answers went: a killed
 * browser loses what local storage took last.
 * @param readId of the note that was read already: the count starts again from 0
 * @returns the note, of all accounts that went since
 */
export function clearErased(userId: string, unsent: number, readId: string | undefined): Promise<Erasure> {
  return withDatabase(() =>
    db.transaction('rw', [...instanceTables(), db.reads, db.device], async () => {
      const stored = parseErasure((await db.device.get(ERASED_NOTE))?.value)
      const before = stored && stored.id !== readId ? stored : { id: crypto.randomUUID(), unsent: 0 }
      await removeSession(userId)
      let hadRows = false
      for (const table of [...instanceTables(), db.reads]) {
        const count = await table.filter((row: { userId: string }) => row.userId === userId).delete()
        hadRows ||= count > 0
      }
      // a second time, after the browser was killed, nothing more goes
      const note = hadRows ? { ...before, unsent: before.unsent + unsent } : before
      await db.device.put({ key: ERASED_NOTE, value: JSON.stringify(note) })
      return note
    }),
  )
}

function parseErasure(text: string | undefined): Erasure | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Erasure) // by clearErased
}

/** What of a stored read the server does not have: a coach's list, and marks. */
function unsentOfRead(row: StoredRead): StoredRead[] {
  if (row.key === DRAFT_KEY) return [row]
  const unsent = isMarksKey(row.key) && isMarkList(row.value) ? row.value.filter(isUnsentMark) : []
  return unsent.length > 0 ? [{ ...row, value: unsent }] : []
}

/** A person's unsent rows and what is needed to send them; `keepOpen`: also every answer of an open assessment. */
async function rowsToKeep(userId: string, keepOpen: boolean) {
  const [instances, answers, receipts, late, operations] = await Promise.all([
    rowsOf<StoredInstance>(db.instances),
    rowsOf(db.answers),
    rowsOf(db.receipts),
    rowsOf(db.late),
    rowsOf(db.operations),
  ])
  function rowsOf<Row extends { userId: string }>(table: { filter: (is: (row: Row) => boolean) => { toArray: () => PromiseLike<Row[]> } }) {
    return table.filter((row) => row.userId === userId).toArray()
  }
  // answers without an instance, which the disk refused or lost, are as unsent as others
  const ids = new Set([...instances, ...answers, ...late].map(({ instanceId }) => instanceId))
  const states = [...ids].map((instanceId) => {
    const instance = instances.find((one) => one.instanceId === instanceId)
    const isOf = (row: { instanceId: string }) => row.instanceId === instanceId
    const unsent = unsentOf({ answers: answers.filter(isOf), receipts: receipts.filter(isOf) })
    const questions = new Set([...unsent, ...late.filter(isOf)].map(({ questionId }) => questionId))
    const isWhole = keepOpen && (!instance || isOpen(instance.summary.status))
    const isKept = (row: { instanceId: string; questionId: string }) => isOf(row) && (isWhole || questions.has(row.questionId))
    const isFinishing = instance !== undefined && instance.finish !== null
    return { instance, isOf, isKept, isWaiting: questions.size > 0 || isFinishing || (isWhole && answers.some(isOf)) }
  })
  const waiting = states.filter(({ isWaiting }) => isWaiting)
  return {
    instances: waiting.flatMap(({ instance }) => instance ?? []),
    answers: answers.filter((row) => waiting.some(({ isKept }) => isKept(row))),
    receipts: receipts.filter((row) => waiting.some(({ isKept }) => isKept(row))),
    late: late.filter((row) => waiting.some(({ isOf }) => isOf(row))),
    operations: operations.filter((row) => waiting.some(({ isOf }) => isOf(row))),
  }
}

/** Removes personal data from a summary: sending does not need it, and the next read brings it back. */
function withoutPersonalData(summary: InstanceSummary): InstanceSummary {
  return {
    ...summary,
    userName: null,
    userLastname: null,
    userEmail: '',
    userSportId: null,
    userSportName: null,
    userPositionId: null,
    userPositionName: null,
    userTeam: null,
    userPlayerType: null,
    coachFirstName: null,
    coachLastName: null,
    results: null,
  }
}
