import { call } from '#app/api/call.ts'
import { network } from '#app/api/network.ts'
import { serverNow } from '#app/api/server-clock.ts'
import { currentLanguage } from '#app/i18n/current-language.ts'
import { i18n, loadIfPossible } from '#app/i18n/i18n.ts'
import { formatDate } from '#app/i18n/format.ts'
import { localDay } from '#app/i18n/times.ts'
import { paths } from '#app/paths.ts'
import { fileContentOf, withKnownId } from '#app/sync/file-content.ts'
import type { InstanceRows } from '#app/sync/rows.ts'
import { saveFile, type Saving } from '#app/ui/browser/download.ts'
import { instances } from '#contract/instances.ts'
import type { FileContent } from '#contract/rules/answers-file.ts'
import { isAnswered } from '#contract/rules/questionnaire.ts'
import { knownIdsOf, addKnownId } from './known-saves.ts'
import { screenStateOf } from './screen-state.ts'
import { seal } from './seal.ts'
import { changeInstance, savesDeviceId, readRows, readSyncState, readInstance } from './store/device-store.ts'
import type { InstanceKey, StoredInstance } from './store/stored.ts'

/** Making an answers file: this device's answers of one instance, sealed for the server. ANSWERS-27, docs/decisions/0047 */

/** `nothing`: what this device shows was given elsewhere, and the account has it. `no-key`: this device read the instance before there were sealed files, and cannot fetch the key now. `not-taken`: an older server gives none, as it takes no files. */
export type FileOutcome = { kind: Saving; name: string } | { kind: 'nothing' | 'no-key' | 'not-taken' }

/** Saves a file of all answers given on this device, even those that the disk refused. Rejects if it cannot be made. */
export async function saveAnswersFile(key: InstanceKey): Promise<FileOutcome> {
  const { instanceId } = key
  const shown = screenStateOf(key)
  const [stored, state, rowsOnly, device] = await Promise.all([
    readInstance(key).catch(() => undefined),
    readSyncState(key).catch(() => undefined),
    readRows(key).catch(() => undefined),
    savesDeviceId(),
  ])
  const onDisk = state ? { ...state, late: [] } : rowsOnly
  const instance = stored ?? shown?.instance
  if (!instance || (!onDisk && !shown)) throw new Error('the device cannot be read')
  const fileSeal = instance.fileSeal ?? shown?.instance?.fileSeal ?? (await fetchSeal(key))
  if (fileSeal === undefined) return { kind: 'no-key' }
  if (fileSeal === null) return { kind: 'not-taken' }

  const rows = mergeScreenRows(onDisk, shown?.rows, shown?.unwritten)
  const known = [...(stored?.files ?? []), ...knownIdsOf(instanceId)].reduce<string[]>(withKnownId, [])
  const id = crypto.randomUUID()
  const content = fileContentOf({ ...rows, operation: state?.operation }, { id, deviceId: device, known })
  if (content.rows.length === 0) return { kind: 'nothing' }
  // before the file is saved, as a later one must list it
  addKnownId(instanceId, id)
  await changeInstance(key, { files: withKnownId(content.known, id) }).catch(() => undefined)
  const savedAt = serverNow()
  const text = await fileTextOf(content, { ...key, contentVersion: instance.contentVersion, fileSeal, savedAt })
  const name = `touchline-${localDay(savedAt)}-${id.slice(0, 4)}.txt`
  return { kind: await saveFile(new File([text], name, { type: 'text/plain' })), name }
}

/** The disk's rows, with the screen's rows that are newer or that the disk does not have. */
function mergeScreenRows(
  onDisk: InstanceRows | undefined,
  shown: InstanceRows | undefined,
  unwritten: ReadonlySet<string> = new Set(),
): InstanceRows {
  const mergeTable = <Row extends { questionId: string }>(disk: readonly Row[] = [], screen: readonly Row[] = []) => {
    const stored = new Set(disk.map(({ questionId }) => questionId))
    const newer = screen.filter(({ questionId }) => unwritten.has(questionId) || !stored.has(questionId))
    const ids = new Set(newer.map(({ questionId }) => questionId))
    return [...disk.filter(({ questionId }) => !ids.has(questionId)), ...newer]
  }
  return { answers: mergeTable(onDisk?.answers, shown?.answers), receipts: mergeTable(onDisk?.receipts, shown?.receipts), late: [] }
}

/** Fetches the key that an older build did not store: undefined if there was no reply, null if the server has none. */
async function fetchSeal(key: InstanceKey): Promise<string | null | undefined> {
  if (!network.isReachable()) return undefined
  const params = { instanceId: key.instanceId }
  const fileSeal = await call(instances.get, { params, query: { sections: 'none' } }, { userId: key.userId }).then(
    (instance) => instance.fileSeal ?? null,
    () => undefined,
  )
  if (typeof fileSeal === 'string') await changeInstance(key, { fileSeal }).catch(() => undefined)
  return fileSeal
}

interface SealOptions extends InstanceKey, Pick<StoredInstance, 'contentVersion'> {
  fileSeal: string
  /** epoch ms by the server's clock */
  savedAt: number
}

/** What a person reads, and below it the sealed part on a line of its own. */
async function fileTextOf(content: FileContent, { userId, instanceId, contentVersion, fileSeal, savedAt }: SealOptions): Promise<string> {
  const answers = content.rows.filter(({ value }) => Object.values(value).some(isAnswered)).length
  await loadIfPossible(currentLanguage(), 'answers-file')
  const t = (name: string, values: Record<string, unknown> = {}) => i18n.t(`answers-file:${name}`, values)
  const address = new URL(paths.answersFile(), location.origin).href
  const head = [t('FileTitle'), t('FileCount', { count: answers, day: formatDate(savedAt) }), t('FileWhere', { address }), t('FileSealed')]
  return [
    // where to bring it needs no words
    ...(i18n.exists('answers-file:FileTitle') ? head : [address]),
    '',
    seal(fileSeal, { kid: instanceId, sub: userId, contentVersion, answers, savedAt }, content),
    '',
  ].join('\n')
}
