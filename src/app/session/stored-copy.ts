import { withTimeout } from '#app/api/with-timeout.ts'
import { remember } from '#app/remember.ts'
import { DEVICE_ID_KEY, DEVICES_KEY } from './known-devices.ts'

/**
 * What signs a person in, a second time: when the browser is killed, local storage is put back by seconds, and the code that
 * was typed since is spent. So it is also in a database of its own, on the disk before the screen changes, and the page begins
 * with the newer of the two. docs/decisions/0034-a-first-load-that-survives.md
 */

const DATABASE = 'touchline-session'
const STORE = 'copy'
const KEY = 'session'
/** in local storage: which copy its values are those of */
const COPIED_KEY = 'sessionCopiedAt'
/** A database that hangs must not prevent signing in: then local storage has to do. */
const TIMEOUT_MS = 1500

const forADay = ['authSession', 'tempEmail', 'authAskedAt', 'coachOnboardingData', 'returnTo']
const personal = ['accessToken', 'refreshToken', 'idToken', 'expiresAt', ...forADay.flatMap((key) => [key, `${key}.until`])]
// a sign-in that was begun on this device can only be finished by it; they stay when somebody signs out
const ofDevice = [DEVICE_ID_KEY, DEVICES_KEY]

interface Copy {
  /** rises with every change */
  at: number
  values: Record<string, string>
}

let underWay: Promise<void> | undefined

/** Copies what local storage has by the end of this task; resolves when it is on the disk, or known not to come there. */
export function copySession(): Promise<void> {
  underWay ??= Promise.resolve().then(() => {
    underWay = undefined
    return inTime(write(snapshot())).catch((error: unknown) => {
      console.warn('The session could not be copied', error)
      // what is not copied must not look older than the copy before it
      localStorage.removeItem(COPIED_KEY)
    })
  })
  return underWay
}

/** Undefined once nothing of a person is left: then the copy goes, and the mark. */
function snapshot(): Copy | undefined {
  const values: Record<string, string> = {}
  for (const key of [...personal, ...ofDevice]) {
    const value = localStorage.getItem(key)
    if (value !== null) values[key] = value
  }
  if (!personal.some((key) => key in values)) {
    localStorage.removeItem(COPIED_KEY)
    return undefined
  }
  const at = Math.max(Date.now(), copiedAt() + 1)
  // unmarked it counts as newer than local storage, and holds the same
  remember(COPIED_KEY, String(at))
  return { at, values }
}

/** At the start of the page. Says whether local storage was older than the copy, and is as new now. */
export async function restoreSession(): Promise<boolean> {
  const read = typeof indexedDB === 'undefined' ? undefined : await inTime(readCopy()).catch(() => undefined)
  if (!read) return false
  const { copy } = read
  const isMarked = localStorage.getItem(COPIED_KEY) !== null
  // Tokens without a mark are of a version of the app that knew of no copy. A mark without a copy is from before a sign-out.
  const isOlder = copy ? copiedAt() < copy.at && (isMarked || localStorage.getItem('refreshToken') === null) : isMarked
  if (!isOlder) return false
  try {
    for (const key of copy ? [...personal, ...ofDevice] : personal) {
      const value = copy?.values[key]
      if (value === undefined) localStorage.removeItem(key)
      else localStorage.setItem(key, value)
    }
    if (copy) localStorage.setItem(COPIED_KEY, String(copy.at))
    else localStorage.removeItem(COPIED_KEY)
    return true
  } catch (error) {
    // a full disk: the mark is still the older one, so the next start tries again
    console.warn('The session could not be restored from its copy', error)
    return false
  }
}

function copiedAt(): number {
  return Number(localStorage.getItem(COPIED_KEY) ?? 0)
}

async function write(copy: Copy | undefined): Promise<void> {
  const database = await open(true)
  try {
    await new Promise<void>((resolve, reject) => {
      const transaction = database.transaction(STORE, 'readwrite', { durability: 'strict' })
      transaction.addEventListener('complete', () => resolve())
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('not written')))
      const store = transaction.objectStore(STORE)
      if (copy) store.put(copy, KEY)
      else store.delete(KEY)
    })
  } finally {
    database.close()
  }
}

/** Rejects where there is no database: who has never signed in here leaves none behind. */
async function readCopy(): Promise<{ copy: Copy | undefined }> {
  const database = await open(false)
  try {
    return { copy: (await settled(database.transaction(STORE).objectStore(STORE).get(KEY))) as Copy | undefined } // as written above
  } finally {
    database.close()
  }
}

function open(isMade: boolean): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1)
  request.addEventListener('upgradeneeded', () => {
    if (isMade) request.result.createObjectStore(STORE)
    else request.transaction?.abort()
  })
  return settled(request)
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('not read')))
  })
}

function inTime<T>(work: Promise<T>): Promise<T> {
  return withTimeout(work, TIMEOUT_MS, 'the database of the sign-in does not respond')
}
