import { createEvent } from '#app/api/events.ts'
import { network } from '#app/api/network.ts'
import { readCredentials } from '#app/session/read-credentials.ts'
import { session } from '#app/session/session.ts'
import { canOpenBrief } from '#contract/rules/profile.ts'
import { isOpen } from '#contract/rules/statuses.ts'
import { loadOwnReads } from '#app/device/lazy-reads.ts'
import { isFetchable, type Lack } from './lacks.ts'
import { areListsStored } from './lists.ts'
import { countUsableShell, isWhole, mayHaveWorker, type ShellFiles } from './shell-files.ts'
import type { InstanceState } from '#app/device/store/stored.ts'
import { LANGUAGES } from '#contract/languages.ts'

export type Readiness =
  | { state: 'ready' }
  /** how many of the app's files are stored, until all are */
  | { state: 'fetching'; files: ShellFiles | undefined }
  | { state: 'lacking'; lack: Lack }

/** The most serious first. */
const LACKS: readonly Lack[] = ['worker', 'shell', 'words', 'answers', 'session', 'details', 'lists']

/** What this device lacks for every assessment of a person; undefined until it was checked. */
let latest: { userId: string; lacks: readonly Lack[] } | undefined
/** Set while fetching takes so long that the player is told. */
let progress: { files: ShellFiles | undefined } | undefined
/** Fetching was tried, so what is still missing could not be fetched. */
let hasTriedFetching = false

/** Open instances that are not on this device, and could not be fetched. */
let absent: { userId: string; ids: readonly string[] } = { userId: '', ids: [] }

let checks = 0
/** the latest check whose result is in `latest` */
let lastCheck = 0

const changed = createEvent()
export const onReadiness = changed.subscribe

/** Whether an instance can be used offline; undefined while nothing is known, and if it is no longer open. */
export function readinessOf(state: InstanceState): Readiness | undefined {
  const { userId, summary } = state.instance
  if (latest?.userId !== userId || !isOpen(summary.status)) return undefined
  const lacks = new Set([...latest.lacks, ...lacksOfInstance(state)])
  const lack = LACKS.find((one) => lacks.has(one))
  if (lack === undefined) return { state: 'ready' }
  if (isFetchable(lack) && progress) return { state: 'fetching', ...progress }
  return !isFetchable(lack) || hasTriedFetching || !network.isReachable() ? { state: 'lacking', lack } : undefined
}

export function setAbsent(userId: string, ids: readonly string[]): void {
  if (absent.userId === userId && absent.ids.join() === ids.join()) return
  absent = { userId, ids }
  changed.emit()
}

/** A person's open instances that are not on this device, and could not be fetched. */
export const absentOf = (userId: string) => (absent.userId === userId ? absent.ids : [])

/** What is missing of one instance. */
export function lacksOfInstance({ instance, rows, languages }: InstanceState): Lack[] {
  const lacks: Lack[] = LANGUAGES.every((language) => languages.includes(language)) ? [] : ['words']
  const answered = new Set(rows.answers.map(({ questionId }) => questionId))
  const items = rows.answers.reduce((count, { value }) => count + Object.keys(value).length, 0)
  // every item that the account has is in a row here, even if it was cleared since
  if (items < instance.summary.answeredCount || rows.receipts.some(({ questionId }) => !answered.has(questionId))) lacks.push('answers')
  return lacks
}

/** Sets the progress that is shown; undefined when fetching has ended or need not be shown. */
export function setProgress(next: typeof progress): void {
  if (next === undefined && progress === undefined) return
  progress = next
  changed.emit()
}

/** Checks what the device lacks; true if nothing is missing that could be fetched. */
export async function checkDevice(userId: string, isAfterFetching = false): Promise<boolean> {
  if (!('serviceWorker' in navigator)) return true
  checks += 1
  const check = checks
  const [isShellWhole, missing] = await Promise.all([countUsableShell().then(isWhole), missingOf(userId)])
  const lacks: Lack[] = isShellWhole ? missing : ['shell', ...missing]
  if (!(await mayHaveWorker())) lacks.unshift('worker')
  const isComplete = !lacks.some(isFetchable)
  // a slow check must not replace the result of a later one
  if (check < lastCheck) return isComplete
  lastCheck = check
  const isChanged = latest?.userId !== userId || latest.lacks.join() !== lacks.join() || (isAfterFetching && !hasTriedFetching)
  latest = { userId, lacks }
  hasTriedFetching ||= isAfterFetching
  if (isChanged) changed.emit()
  return isComplete
}

async function missingOf(userId: string): Promise<Lack[]> {
  const lacks: Lack[] = session.get().status === 'guest' || !readCredentials().refreshToken ? ['session'] : []
  if (session.get().userTypeCode === 'coach') return lacks
  const profiles = await storedProfiles(userId)
  const country = profiles.find(({ countryId }) => countryId)?.countryId ?? undefined
  if (profiles.length === 0 || !(await areListsStored(country))) lacks.push('lists')
  if (profiles.length > 0 && !profiles.some(canOpenBrief)) lacks.push('details')
  return lacks
}

export async function storedProfiles(userId: string) {
  return (await loadOwnReads()).storedProfiles(userId)
}
