import { onReturn } from '#app/ui/browser/on-return.ts'
import { createEvent } from '#app/api/events.ts'
import { call } from '#app/api/call.ts'
import { serverNow } from '#app/api/server-clock.ts'
import { SendFailure } from '#app/sync/sync.ts'
import { marks as api } from '#contract/marks.ts'
import { mergeMarks, type Mark, type ParagraphMark } from '#contract/rules/paragraph-marks.ts'
import { instanceOfMarksKey, isMarkList, isMarksKey, isUnsentMark, marksKey, type StoredMark } from './stored-marks.ts'
import { mayStore } from './owner.ts'
import { trackSend } from './sending/api-network.ts'
import { setUnwrittenMarks } from './sending/unwritten.ts'
import { changeStored, readStored, storedKeys } from './store/device-store.ts'
import { textOfKey, type InstanceKey } from './store/stored.ts'

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
/** Tells the other tabs of changes; a tab's own are emitted by `changed`. */
const otherTabs = new BroadcastChannel('touchline-marks')

/** Calls the listener whenever marks changed, in any tab. Returns a function that stops it. */
export function onMarksChanged(listener: () => void): () => void {
  otherTabs.addEventListener('message', listener)
  const stops = [changed.subscribe(listener), onReturn(listener)]
  return () => {
    otherTabs.removeEventListener('message', listener)
    for (const stop of stops) stop()
  }
}

function emitChanged(): void {
  changed.emit()
  otherTabs.postMessage('changed')
}

// retries the disk, not a server
const WRITE_RETRY_MS = 3000
/** Marks that the disk refused, by instance; they last as long as the page. */
const unwritten = new Map<string, StoredMark[]>()
/** What the disk had at the last successful read. */
const lastRead = new Map<string, StoredMark[]>()
let retryTimer: ReturnType<typeof setTimeout> | undefined

/** Error codes of refusals since the player last marked something, by instance: not retried automatically. */
const refusals = new Map<string, string>()

const listOf = (value: unknown): StoredMark[] => (isMarkList(value) ? value : [])

function withMark(marks: readonly StoredMark[], mark: StoredMark): StoredMark[] {
  return [...marks.filter(({ paragraph }) => paragraph !== mark.paragraph), mark]
}

async function storedMarks({ userId, instanceId }: InstanceKey): Promise<StoredMark[]> {
  const id = textOfKey({ userId, instanceId })
  try {
    lastRead.set(id, listOf((await readStored(userId, marksKey(instanceId)))?.value))
  } catch (error) {
    console.warn('Marks on this device could not be read', error)
  }
  return lastRead.get(id) ?? []
}

/** The marks on this device. Never rejects. */
export async function readMarks(key: InstanceKey): Promise<Marks> {
  const here = unwritten.get(textOfKey(key)) ?? []
  return {
    marks: mergeMarks(await storedMarks(key), here),
    isUnwritten: here.some(isUnsentMark),
    refusal: refusals.get(textOfKey(key)),
  }
}

const changes = new Map<string, Promise<void>>()

/** Changes the stored marks, or those in this page if the disk refuses; changes of one instance run one after the other. */
function change(key: InstanceKey, update: (marks: StoredMark[]) => StoredMark[]): Promise<void> {
  const next = (changes.get(textOfKey(key)) ?? Promise.resolve()).then(() => changeNow(key, update))
  changes.set(textOfKey(key), next)
  return next
}

/** Never rejects. */
async function changeNow(key: InstanceKey, update: (marks: StoredMark[]) => StoredMark[]): Promise<void> {
  const id = textOfKey(key)
  if (!mayStore(key.userId)) {
    // signed out meanwhile: nothing of this person may be stored again
    unwritten.delete(id)
    return setUnwrittenMarks(key, 0)
  }
  const here = unwritten.get(id) ?? []
  try {
    const add = (value: unknown) => update(mergeMarks(listOf(value), here))
    await changeStored(key.userId, marksKey(key.instanceId), add, () => mayStore(key.userId))
    unwritten.delete(id)
  } catch (error) {
    console.warn('Marks could not be stored on this device', error)
    unwritten.set(id, update(mergeMarks(await storedMarks(key), here)))
    clearTimeout(retryTimer)
    retryTimer = setTimeout(() => void change(key, (marks) => marks), WRITE_RETRY_MS)
  }
  setUnwrittenMarks(key, unwritten.get(id)?.filter(isUnsentMark).length ?? 0)
  emitChanged()
}

/** Stores the player's mark, or removes it (null). The outbox sends it. */
export async function markParagraph(key: InstanceKey, paragraph: string, mark: Mark | null): Promise<void> {
  refusals.delete(textOfKey(key))
  await change(key, (marks) => {
    const before = marks.find((one) => one.paragraph === paragraph)?.at ?? 0
    // later than what it replaces, even if the clock was set back
    return withMark(marks, { paragraph, mark, at: Math.max(serverNow(), before + 1), isSent: false })
  })
}

/**
 * Merges the marks of other devices. What this device has and the account lacks, as after a restored backup, becomes unsent again.
 * Rejects with `ApiError`.
 */
export async function fetchMarks(key: InstanceKey): Promise<void> {
  const { marks } = await call(api.list, { params: { instanceId: key.instanceId } }, { userId: key.userId })
  await change(key, (stored) => mergeMarks(asUnsent(stored), asSent(marks)))
}

const asUnsent = (marks: readonly StoredMark[]): StoredMark[] => marks.map((mark) => ({ ...mark, isSent: false }))
const asSent = (marks: readonly ParagraphMark[]): StoredMark[] => marks.map((mark) => ({ ...mark, isSent: true }))

/** Instances of the person with marks on this device. */
async function markedInstances(userId: string): Promise<InstanceKey[]> {
  const keys = await storedKeys(userId).catch(() => [])
  const stored = keys.filter(isMarksKey).map(instanceOfMarksKey)
  const here = [...unwritten.keys()].filter((id) => id.startsWith(`${userId} `)).map((id) => id.slice(userId.length + 1))
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
  if (unsent.length === 0 || refusals.has(textOfKey(key))) return
  const body = { marks: unsent.map(({ isSent: _isSent, ...mark }) => mark) }
  try {
    const reply = await trackSend(call(api.save, { params: { instanceId: key.instanceId }, body }, { userId: key.userId }))
    const stored = new Set(reply.marks.map(({ paragraph }) => paragraph))
    const isStored = ({ paragraph, at }: StoredMark) =>
      stored.has(paragraph) && unsent.some((sent) => sent.paragraph === paragraph && sent.at === at)
    // a mark that was changed since, or is missing in the reply, is unsent
    await change(key, (marks) => mergeMarks(asUnsent(marks.filter((mark) => !isStored(mark))), asSent(reply.marks)))
    if (!unsent.every(isStored)) noteRefusal(key, 'UNEXPECTED')
  } catch (error) {
    if (!(error instanceof SendFailure) || error.reason !== 'refused') throw error
    noteRefusal(key, error.code)
  }
}

function noteRefusal(key: InstanceKey, code: string): void {
  refusals.set(textOfKey(key), code)
  emitChanged()
}

/** How many marks of the person the server does not have. */
export async function countUnsentMarks(userId: string): Promise<number> {
  const unsent = await Promise.all((await markedInstances(userId)).map(unsentMarks))
  return unsent.flat().length
}
