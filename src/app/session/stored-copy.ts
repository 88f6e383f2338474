import { withTimeout } from '#app/with-timeout.ts'
import { LANGUAGE_KEY } from '#app/i18n/preferred-language.ts'
import { trySetItem } from '#app/ui/browser/try-set-item.ts'
import { isMemoryStorage } from '#app/ui/browser/memory-storage.ts'
import { bounded, resultOf } from '#app/ui/browser/transactions.ts'
import { clearLocalStorage } from './clear-local-storage.ts'
import {
  copiedAt,
  COPIED_KEY,
  forgetMarker,
  hadMarker,
  isCopied,
  isUncopied,
  newerThanCopies,
  noteNewer,
  storeMarkerSeen,
} from './copied-at.ts'
import { tokens } from './read-credentials.ts'
import { storageIsCurrent } from './tab-lock.ts'
import { userOf, type SessionUser } from './user.ts'
import { addPendingClearing } from './pending-clearing.ts'
import { ANSWERS_DEVICE_KEY, DEVICE_ID_KEY, DEVICES_KEY } from './known-devices.ts'

/**
 * A second copy of the sign-in, and of unsaved input. A killed browser may lose the last seconds of local storage, and a code typed then
 * cannot be used again. So it is also in an IndexedDB database of its own, on the disk before the screen changes, and the page
 * starts with the newer of the two. docs/decisions/0034-a-first-load-that-survives.md
 */

const DATABASE = 'touchline-session'
const STORE = 'copy'
const KEY = 'session'
const PROBE = 'probe'
/**
 * Key of a row that is written while there is room. A sign-out on a full disk, which can write nothing, removes it, and the next start sees
 * that it is gone (`hadMarker`).
 */
const MARKER = 'open'
/** After that, if the database hangs, signing in continues with local storage alone. */
const COPY_TIMEOUT_MS = 1500
/** After that, what is stored does not wait any longer for the copy to be read. */
const GIVEN_UP_MS = 10_000

const forADay = ['authSession', 'tempEmail', 'authAskedAt', 'authTried', 'coachOnboardingData', 'returnTo']
const named = [...tokens, 'expiresAt', ...forADay.flatMap((key) => [key, `${key}.until`])]
/** What was typed and not saved: parts/details/stored-draft.ts, challenge.ts. */
export const DRAFT_PREFIX = 'draft:'
const personal = () => [...named, ...Object.keys(localStorage).filter((key) => key.startsWith(DRAFT_PREFIX))]
// what stays at sign-out: the language, and what identifies the device, which alone can finish a sign-in that it began, and replaces its own answers
const ofDevice = [LANGUAGE_KEY, DEVICE_ID_KEY, DEVICES_KEY, ANSWERS_DEVICE_KEY]

interface Copy {
  /** rises with every change */
  at: number
  values: Record<string, string>
}

/** What is to be copied; without values the copy is to be removed. */
type Snapshot = Copy | { at: number; values: undefined }

let underWay: Promise<boolean> | undefined
/** The copy is being read and alone has the session: what is copied meanwhile waits, or would replace it. Never rejects. */
let restoring: Promise<unknown> = Promise.resolve()

/** Copies the values of local storage at the end of this task. Resolves to whether they are on the disk; never rejects. */
export function copySession(): Promise<boolean> {
  underWay ??= withStoreTimeout(restoring.then(copyNow)).catch((error: unknown) => {
    console.warn('The session could not be copied', error)
    // values that could not be copied must not look older than the previous copy, nor as if a sign-out had removed theirs
    if (localStorage.getItem('refreshToken') !== null) trySetItem(COPIED_KEY, String(-newerThanCopies()))
    return false
  })
  return underWay
}

async function copyNow(): Promise<boolean> {
  underWay = undefined
  // until it is replaced or removed, the copy before counts as older
  noteNewer(newerThanCopies())
  const database = await open(true)
  // this page may have been held up: somebody may have signed out since, or in
  await storageIsCurrent()
  const made: Snapshot[] = []
  try {
    await inTransaction(database, (store) => {
      const copy = snapshot()
      made.push(copy)
      if (!copy.values) return store.delete(KEY)
      store.put(copy, KEY)
      return store.put(true, MARKER)
    })
  } catch (error) {
    if (!made.some(isOfNobody)) {
      storeMarkerSeen((await readCopy()).hasMarker)
      throw error
    }
    // a full disk takes none without values either, but neither the one of before nor local storage must bring back who has signed out
    await inTransaction(await open(true), (store) => [KEY, MARKER].forEach((key) => store.delete(key)))
  }
  made.forEach(noteCopied)
  return true
}

const isOfNobody = ({ values }: Snapshot) => values !== undefined && Object.keys(values).length === 0

/** Whether the browser takes a copy; changes none. Waits for a database that responds late. */
export async function keepsSession(): Promise<boolean> {
  try {
    const database = await open(true)
    await inTransaction(database, (store) => {
      store.put(true, PROBE)
      store.delete(PROBE)
    })
    return true
  } catch {
    return false
  }
}

/**
 * Whether what is written stays on this device: answers need a database, what a guest types does not. One that is full counts, as it
 * may have room again. Waits for a database that responds late.
 */
export async function keepsWriting(isSignedIn: boolean): Promise<boolean> {
  return (!isSignedIn && !isMemoryStorage(localStorage)) || hasDatabases()
}

async function hasDatabases(): Promise<boolean> {
  try {
    const database = await open(true)
    database.close()
    return true
  } catch (error) {
    return error instanceof DOMException && THERE.has(error.name)
  }
}

/** Errors of a database that is there: a full disk, also while it is made, and a later version. */
const THERE = new Set(['QuotaExceededError', 'AbortError', 'VersionError'])

/** What `keepsSession` finds, or false if the database does not respond while somebody waits. */
export function inTime(kept: Promise<boolean>): Promise<boolean> {
  return withStoreTimeout(kept).catch(() => false)
}

/** The values to copy; none if nobody is signed in or signing in. */
function snapshot(): Snapshot {
  const values: Record<string, string> = {}
  const keys = personal()
  for (const key of [...keys, ...ofDevice]) {
    const value = localStorage.getItem(key)
    if (value !== null) values[key] = value
  }
  const at = newerThanCopies()
  // if this fails the copy counts as newer than local storage, which has the same values; a first one may never be written (noteCopied)
  noteNewer(at)
  if (keys.some((key) => key in values)) return { at, values }
  // where there was no copy, only one without values tells the next start that a sign-out has removed what a kill brings back
  return { at, values: isUncopied() ? {} : undefined }
}

/** The first copy is marked once it is there: a page that is left before would look like a sign-out. */
function noteCopied({ at, values }: Snapshot): void {
  // not if something was stored since
  if (!values) {
    if (copiedAt() === at) localStorage.removeItem(COPIED_KEY)
  } else if (!isCopied() && (localStorage.getItem('refreshToken') ?? undefined) === values['refreshToken'])
    trySetItem(COPIED_KEY, String(at))
}

/**
 * Called at the page's start. Resolves to whether local storage was older than the copy and was restored from it; never rejects.
 * @param onLate called if the copy alone had the session, and could only be read later
 */
export async function restoreSession(onLate?: () => void): Promise<boolean> {
  if (typeof indexedDB === 'undefined') return false
  const reading = readCopy()
  if (!onLate || !isMemoryStorage(localStorage)) return withStoreTimeout(reading).then(restoreFrom, () => false)
  let isLate = false
  const restored = reading.then(restoreFrom).catch(() => false)
  const noteLate = (isRestored: boolean) => {
    if (!isRestored || !isLate) return
    onLate()
    // what was stored since then may have replaced it
    void copySession()
  }
  // the request for a database may be lost, and only a new one answered
  restoring = withTimeout(restored.then(noteLate), GIVEN_UP_MS, 'the database of the sign-in was not read').catch(() => undefined)
  return withStoreTimeout(restored).catch(() => {
    isLate = true
    return false
  })
}

function restoreFrom({ copy, hasMarker }: Stored): boolean {
  const isMarked = localStorage.getItem(COPIED_KEY) !== null
  // Tokens without COPIED_KEY were stored by an app without copies. COPIED_KEY without a copy is from before a sign-out.
  const isBeforeSignOut = isCopied() || (hadMarker() && !hasMarker)
  const isOlder = copy ? copiedAt() < copy.at && (isMarked || localStorage.getItem('refreshToken') === null) : isBeforeSignOut
  // of the same age, but a token was lost
  const isTorn = copy?.at === copiedAt() && tokens.some((name) => name in copy.values && localStorage.getItem(name) === null)
  if (!isOlder && !isTorn) {
    // of a page that was closed while the database did not respond: it may have the tokens of somebody who has signed out
    if (copy && copy.at < copiedAt()) void copySession()
    return false
  }
  try {
    // the kill brought back what a sign-out had removed, including what is not in the copy: reads, errors
    const back = broughtBack(copy)
    if (back) {
      clearLocalStorage()
      // so did the record of what their sign-out could not clear; unsent answers may have been kept on purpose
      addPendingClearing({ userId: back.id, keepUnsent: true, proof: back.proof })
    }
    for (const key of [...personal(), ...Object.keys(copy?.values ?? {})]) {
      const value = copy?.values[key]
      if (value === undefined) localStorage.removeItem(key)
      else localStorage.setItem(key, value)
    }
    if (copy) localStorage.setItem(COPIED_KEY, String(copy.at))
    else localStorage.removeItem(COPIED_KEY)
    forgetMarker()
    return true
  } catch (error) {
    // a full disk: COPIED_KEY is still the older one, so the next start tries again
    console.warn('The session could not be restored from its copy', error)
    return false
  }
}

/** The user of a session in local storage that is not in the copy. */
function broughtBack(copy: Copy | undefined): SessionUser | undefined {
  const stored = userOf(localStorage.getItem('idToken') ?? undefined)
  return stored?.id === userOf(copy?.values['idToken'])?.id ? undefined : stored
}

async function inTransaction(database: IDBDatabase, change: (store: IDBObjectStore) => unknown): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      const transaction = database.transaction(STORE, 'readwrite', { durability: 'strict' })
      transaction.addEventListener('complete', () => resolve())
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('not written')))
      change(transaction.objectStore(STORE))
      // so that it is written also where the page is left now
      transaction.commit()
    })
  } finally {
    database.close()
  }
}

interface Stored {
  copy: Copy | undefined
  /** the row that a sign-out on a full disk removes is there */
  hasMarker: boolean
}

/** Rejects if there is no database; it does not create one, as nobody may have signed in here. */
async function readCopy(): Promise<Stored> {
  const database = await open(false)
  try {
    const store = bounded(database.transaction(STORE)).objectStore(STORE)
    const [copy, markers] = await Promise.all([resultOf(store.get(KEY)), resultOf(store.count(MARKER))])
    return { copy: copy as Copy | undefined, hasMarker: markers > 0 } // as written above
  } finally {
    database.close()
  }
}

function open(isMade: boolean): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1)
  request.addEventListener('upgradeneeded', () => {
    if (!isMade) return request.transaction?.abort()
    const store = request.result.createObjectStore(STORE)
    try {
      store.put(true, MARKER)
    } catch {
      // no room: a sign-out will have no other way to tell of itself than local storage
    }
    return undefined
  })
  return resultOf(request)
}

function withStoreTimeout<T>(work: Promise<T>): Promise<T> {
  return withTimeout(work, COPY_TIMEOUT_MS, 'the database of the sign-in does not respond')
}
