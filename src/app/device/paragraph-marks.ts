import { createEvent } from '#app/api/events.ts'
import { call } from '#app/api/call.ts'
import { serverNow } from '#app/api/server-clock.ts'
import { SendFailure } from '#app/sync/sync.ts'
import { marks as api } from '#contract/marks.ts'
import { mergeMarks, type Mark, type ParagraphMark } from '#contract/rules/paragraph-marks.ts'
import { instanceOfMarksKey, isMarkList, isMarksKey, isUnsentMark, marksKey, unwrittenMarks, type StoredMark } from './stored-marks.ts'
import { mayStore } from './owner.ts'
import { sending } from './sending/api-network.ts'
import { changeStored, readStored, storedKeys } from './store/device-store.ts'
import type { InstanceKey } from './store/stored.ts'

/**
 * A player's marks on the paragraphs of a result: stored on this device at the tap, then sent by the outbox (RESULTS-19). Of two devices'
 * marks on a paragraph the later one stays.
 */

/** What the results screen shows of an instance's marks. */
export interface Marks {
  marks: readonly StoredMark[]
  /** some are only in this page, because the disk did not take them */
  isUnwritten: boolean
  /** error code of the server's refusal to store them */
  refusal: string | undefined
}

const changed = createEvent()
export const onMarksChanged = changed.subscribe

/** Refused by the server since the player last marked something: not sent again by itself. */
const refusals = new Map<string, string>()

const idOf = ({ userId, instanceId }: InstanceKey) => `${userId}/${instanceId}`
const listOf = (value: unknown): StoredMark[] => (isMarkList(value) ? value : [])

function withMark(marks: readonly StoredMark[], mark: StoredMark): StoredMark[] {
  return [...marks.filter(({ paragraph }) => paragraph !== mark.paragraph), mark]
}

async function storedMarks({ userId, instanceId }: InstanceKey): Promise<StoredMark[]> {
  const stored = await readStored(userId, marksKey(instanceId)).catch(() => undefined)
  return listOf(stored?.value)
}

/** The marks on this device. Never rejects. */
export async function readMarks(key: InstanceKey): Promise<Marks> {
  const here = unwrittenMarks.get(idOf(key)) ?? []
  return {
    marks: mergeMarks(await storedMarks(key), here),
    isUnwritten: here.some(isUnsentMark),
    refusal: refusals.get(idOf(key)),
  }
}

/** Changes the stored marks, or those in this page where the disk takes nothing. */
async function change(key: InstanceKey, changing: (marks: StoredMark[]) => StoredMark[]): Promise<void> {
  const id = idOf(key)
  const here = unwrittenMarks.get(id) ?? []
  try {
    await changeStored(key.userId, marksKey(key.instanceId), (value) => changing(mergeMarks(listOf(value), here)))
    unwrittenMarks.delete(id)
  } catch (error) {
    console.warn('Marks could not be stored on this device', error)
    unwrittenMarks.set(id, changing(mergeMarks(await storedMarks(key), here)))
  }
  changed.emit()
}

/** Stores the player's mark, or takes it away (null). The outbox sends it. */
export async function markParagraph(key: InstanceKey, paragraph: string, mark: Mark | null): Promise<void> {
  if (!mayStore(key.userId)) return
  refusals.delete(idOf(key))
  await change(key, (marks) => {
    const before = marks.find((one) => one.paragraph === paragraph)?.at ?? 0
    // later than what it replaces, even if the clock was set back
    return withMark(marks, { paragraph, mark, at: Math.max(serverNow(), before + 1), isSent: false })
  })
}

/** Takes over what other devices have marked. Rejects with `ApiError`. */
export async function fetchMarks(key: InstanceKey): Promise<void> {
  const { marks } = await call(api.list, { params: { instanceId: key.instanceId } })
  if (mayStore(key.userId)) await change(key, (stored) => mergeMarks(stored.filter(isUnsentMark), sentMarks(marks)))
}

const sentMarks = (marks: readonly ParagraphMark[]): StoredMark[] => marks.map((mark) => ({ ...mark, isSent: true }))

/** Instances of the person with marks on this device. */
async function markedInstances(userId: string): Promise<InstanceKey[]> {
  const stored = (await storedKeys(userId)).filter(isMarksKey).map(instanceOfMarksKey)
  const here = [...unwrittenMarks.keys()].filter((id) => id.startsWith(`${userId}/`)).map((id) => id.slice(userId.length + 1))
  return [...new Set([...stored, ...here])].map((instanceId) => ({ userId, instanceId }))
}

async function unsentMarks(key: InstanceKey): Promise<StoredMark[]> {
  return (await readMarks(key)).marks.filter(isUnsentMark)
}

/** Sends the person's unsent marks. Rejects with `SendFailure` if the server cannot be reached. */
export async function sendMarks(userId: string): Promise<void> {
  for (const key of await markedInstances(userId)) await sendMarksOf(key)
}

async function sendMarksOf(key: InstanceKey): Promise<void> {
  const unsent = await unsentMarks(key)
  if (unsent.length === 0 || refusals.has(idOf(key))) return
  const body = { marks: unsent.map(({ isSent: _isSent, ...mark }) => mark) }
  try {
    const reply = await sending(call(api.save, { params: { instanceId: key.instanceId }, body }))
    // what was tapped since stays unsent
    const isSince = (mark: StoredMark) => !unsent.some(({ paragraph, at }) => paragraph === mark.paragraph && at === mark.at)
    await change(key, (marks) => marks.filter((mark) => isUnsentMark(mark) && isSince(mark)).reduce(withMark, sentMarks(reply.marks)))
  } catch (error) {
    if (!(error instanceof SendFailure) || error.reason !== 'refused') throw error
    refusals.set(idOf(key), error.code)
    changed.emit()
  }
}

/** How many marks of the person the server does not have. */
export async function countUnsentMarks(userId: string): Promise<number> {
  const unsent = await Promise.all((await markedInstances(userId)).map(unsentMarks))
  return unsent.flat().length
}
