import { isApiError } from '#app/api/api-error.ts'
import { retryDelay } from '#app/api/backoff.ts'
import { network, onReachable } from '#app/api/network.ts'
import { PREPARE_AFTER_MS, PREPARE_RETRY_WAITS, PREPARE_CHECK_MS, PREPARE_PROGRESS_AFTER_MS } from '#app/constants.ts'
import { session } from '#app/session/session.ts'
import { isOpen } from '#contract/rules/statuses.ts'
import { instancesOf, languagesOf, readRows } from '#app/device/store/device-store.ts'
import { instanceStored } from '#app/device/store/store-events.ts'
import { fetchAndStoreInstance } from '#app/device/fetch-instance.ts'
import { loadOwnReads } from '#app/device/lazy-reads.ts'
import { fetchLists, waitForController } from './lists.ts'
import { LANGUAGES } from '#contract/languages.ts'
import { lacksOfInstance, checkDevice, setAbsent, setProgress, storedProfiles } from './readiness.ts'
import { countShell, isWhole, repairShell } from './shell-files.ts'

/**
 * Fetches what is missing for use offline, whichever screen the app was opened at: the questions of the open instances in
 * every language, the profile and lists, the app's own files. docs/decisions/0033
 */

/** Instances that a screen showed as open, by id with their owner's id; those stored on this device are prepared anyway. */
const shownInstances = new Map<string, string>()
/** Instances that the server refused, by id with their owner's id. */
const refusedInstances = new Map<string, string>()
let running: Promise<void> | undefined
let isRunDue = false
let roundTimer: ReturnType<typeof setTimeout> | undefined
/** rounds in a row that left something missing */
let failures = 0

/** Prepares these instances, too. May be called often; resolves when the running round has ended, never rejects. */
export function prepareInstances(userId: string, open: readonly { instanceId: string }[]): Promise<void> {
  for (const { instanceId } of open) shownInstances.set(instanceId, userId)
  return prepare()
}

/**
 * Prepares at start, after a reconnect or sign-in, when an instance was stored, when the page becomes visible and once a minute, so that
 * whatever the browser evicted is fetched again. Called once, by start.ts.
 */
export function startPreparing(): void {
  const prepareSoon = () => prepareIn(PREPARE_AFTER_MS)
  onReachable(prepareSoon)
  let user = session.get().user?.id
  session.subscribe(() => {
    if (session.get().user?.id !== user) prepareSoon()
    user = session.get().user?.id
  })
  instanceStored.subscribe(prepareSoon)
  document.addEventListener('visibilitychange', checkForGaps)
  setInterval(checkForGaps, PREPARE_CHECK_MS)
  prepareSoon()
}

/** Makes no call if nothing is missing. */
function checkForGaps(): void {
  // a failed round is retried after its own, longer wait
  if (document.hidden || failures > 0) return
  const { user } = session.get()
  if (network.isReachable()) void prepare()
  else if (user) void checkDevice(user.id).catch((error: unknown) => console.warn('The device cannot be read', error))
}

function prepareIn(ms: number): void {
  clearTimeout(roundTimer)
  roundTimer = setTimeout(() => void prepare(), ms)
}

/** A call during a round causes one more round. */
function prepare(): Promise<void> {
  isRunDue = true
  running ??= runRounds().finally(() => {
    running = undefined
  })
  return running
}

async function runRounds(): Promise<void> {
  while (isRunDue) {
    isRunDue = false
    const { status, user, userTypeCode } = session.get()
    if (status === 'guest' || !user || !network.isReachable()) return
    await runRound(user.id, userTypeCode === 'coach' ? [] : [fetchQuestionnaires, fetchReads])
  }
}

/** Runs the steps, which call the API, until one fails for a transient reason; then fetches the app's own files in any case. */
async function runRound(userId: string, steps: readonly ((userId: string) => Promise<void>)[]): Promise<void> {
  const stopReporting = reportProgress()
  let failed: unknown
  const noteFailure = (error: unknown) => {
    failed ??= error
    console.warn('Not everything could be prepared for use offline', error)
  }
  for (const step of steps) {
    await step(userId).catch(noteFailure)
    if (isApiError(failed) && failed.isTransient) break
  }
  await completeShell().catch(noteFailure)
  stopReporting()
  const isComplete = await checkDevice(userId, true).catch(noteFailure)
  failures = failed === undefined && isComplete ? 0 : failures + 1
  if (failures > 0) prepareIn(retryDelay(failures, failed, PREPARE_RETRY_WAITS))
}

async function fetchQuestionnaires(userId: string): Promise<void> {
  try {
    await fetchOpenInstances(userId)
  } finally {
    await reportAbsent(userId)
  }
}

async function fetchOpenInstances(userId: string): Promise<void> {
  const stored = new Map((await instancesOf(userId)).map((one) => [one.instanceId, one]))
  const open = new Set([...stored.values()].filter(({ summary }) => isOpen(summary.status)).map(({ instanceId }) => instanceId))
  for (const [instanceId, owner] of shownInstances) if (owner === userId) open.add(instanceId)
  let hasRoom = true
  for (const instanceId of open) {
    const key = { userId, instanceId }
    const instance = stored.get(instanceId)
    const languages = await languagesOf(key)
    const isWhole = instance && !lacksOfInstance({ instance, rows: await readRows(key), languages }).includes('answers')
    for (const language of LANGUAGES) {
      if (isWhole && languages.includes(language)) continue
      try {
        const { stored: wasStored } = await fetchAndStoreInstance(userId, instanceId, language)
        if (await wasStored) continue
        hasRoom = false
        break
      } catch (error) {
        if (!isApiError(error) || error.isTransient) throw error
        // reclaimed since, or lost by the server: there is nothing to prepare
        shownInstances.delete(instanceId)
        refusedInstances.set(instanceId, userId)
      }
    }
  }
  // as a failure, so that it is retried, but not every minute: it may never fit
  if (!hasRoom) throw new Error('the disk did not take every questionnaire')
}

async function reportAbsent(userId: string): Promise<void> {
  const stored = new Set((await instancesOf(userId)).map(({ instanceId }) => instanceId))
  setAbsent(
    userId,
    [...shownInstances, ...refusedInstances]
      .filter(([instanceId, owner]) => owner === userId && !stored.has(instanceId))
      .map(([instanceId]) => instanceId),
  )
}

async function fetchReads(userId: string): Promise<void> {
  await (await loadOwnReads()).readOwn(userId)
  const profiles = await storedProfiles(userId)
  await fetchLists(profiles.find(({ countryId }) => countryId)?.countryId ?? undefined)
}

/** Fetches files of the app that the browser has evicted; without them it would not open offline. */
async function completeShell(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  await waitForController()
  if (!isWhole(await countShell()) && !isWhole(await repairShell())) throw new Error('files of the app are missing')
}

/** Reports progress once a second, starting after two seconds. Returns a function that stops it. */
function reportProgress(): () => void {
  let timer = setTimeout(() => void report(), PREPARE_PROGRESS_AFTER_MS)
  let isOver = false
  async function report(): Promise<void> {
    const files = 'serviceWorker' in navigator ? await countShell() : undefined
    if (isOver) return
    setProgress({ files: isWhole(files) ? undefined : files })
    timer = setTimeout(() => void report(), 1000)
  }
  return () => {
    isOver = true
    clearTimeout(timer)
    setProgress(undefined)
  }
}
