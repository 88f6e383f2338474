import { SEND_UNWRITTEN_TIMEOUT_MS, UNWRITTEN_CHECK_MS } from '#app/constants.ts'
import { answersChannel, type InstanceKey } from '#app/device/store/stored.ts'
import type { InPages } from '#app/session/private-store.ts'
import { broadcast } from './broadcast.ts'
import { instancesUnwrittenHere, setUnwrittenElsewhere, onUnwritten, unwrittenHere, unwrittenMarks } from './unwritten.ts'
import { requestUnwritten } from './unwritten-requests.ts'

/**
 * Answers that exist only in an open page, in any tab. The page holds a browser lock for each of them: other tabs see it even
 * while the page is frozen, and it disappears with the page. Without locks (plain http, a browser that blocks what pages store) each tab
 * knows only its own.
 */

const PREFIX = 'touchline.unwritten '

/** The function that releases a lock, by the lock's name. */
const locks = new Map<string, () => void>()

/** Announces this page's unwritten answers to other tabs from now on. Called once, by start.ts. */
export function shareUnwritten(): void {
  const announce = (key: InstanceKey) => {
    updateLocks()
    broadcast(answersChannel, key)
  }
  onUnwritten((key) => key && announce(key))
  // those that the disk refused before this was called
  for (const key of instancesUnwrittenHere()) announce(key)
}

function updateLocks(): void {
  const names = new Set(unwrittenHere().map((one) => PREFIX + one))
  for (const [name, release] of locks) {
    if (names.has(name)) continue
    locks.delete(name)
    release()
  }
  for (const name of names) if (!locks.has(name)) locks.set(name, acquire(name))
}

function acquire(name: string): () => void {
  let release = () => {}
  const over = new Promise<void>((resolve) => {
    release = resolve
  })
  if ('locks' in navigator) navigator.locks.request(name, { mode: 'shared' }, () => over).catch(() => undefined)
  return release
}

/** Keeps `hasUnwritten` up to date with the other tabs. Called once, by start.ts. */
export function watchUnwrittenElsewhere(owner: () => string | undefined): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const recheck = async () => {
    clearTimeout(timer)
    const userId = owner()
    const here = new Set(unwrittenHere().map((one) => PREFIX + one))
    const isElsewhere = userId !== undefined && (await lockNamesOf(userId)).some((name) => !here.has(name))
    setUnwrittenElsewhere(isElsewhere)
    // a tab that is closed with its answers sends no message
    if (isElsewhere) timer = setTimeout(() => void recheck(), UNWRITTEN_CHECK_MS)
  }
  new BroadcastChannel(answersChannel).addEventListener('message', () => void recheck())
  document.addEventListener('visibilitychange', () => void recheck())
  void recheck()
}

/** The ids of unwritten questions in all tabs, by instance id. */
export async function unwrittenInTabs(userId: string): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>()
  for (const name of await lockNamesOf(userId)) {
    const [, instanceId = '', questionId = ''] = name.slice(PREFIX.length).split(' ')
    found.set(instanceId, (found.get(instanceId) ?? new Set()).add(questionId))
  }
  return found
}

/** Has the pages with unwritten answers send them; resolves when they have, or after SEND_UNWRITTEN_TIMEOUT_MS. */
export async function sendUnwritten(userId: string): Promise<void> {
  const names = await lockNamesOf(userId)
  if (names.length === 0) return
  requestUnwritten({ userId, isDiscarded: false })
  const signal = AbortSignal.timeout(SEND_UNWRITTEN_TIMEOUT_MS)
  const released = 'locks' in navigator ? names.map((name) => navigator.locks.request(name, { signal }, () => undefined)) : []
  await Promise.allSettled([sentHere(userId, signal), ...released])
}

/** Resolves when this page has no unwritten answers of theirs any more, or at the signal. */
function sentHere(userId: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!signal.aborted && unwrittenHere().some((one) => one.startsWith(`${userId} `))) return
      stop()
      resolve()
    }
    const stop = onUnwritten(check)
    signal.addEventListener('abort', check)
    check()
  })
}

async function lockNamesOf(userId: string): Promise<string[]> {
  const { held = [], pending = [] } = await queryLocks()
  const here = unwrittenHere().map((one) => PREFIX + one)
  const names = [...here, ...[...held, ...pending].flatMap(({ name }) => name ?? [])]
  return [...new Set(names)].filter((name) => name.startsWith(`${PREFIX}${userId} `))
}

async function queryLocks(): Promise<LockManagerSnapshot> {
  return 'locks' in navigator ? navigator.locks.query().catch(() => ({})) : {}
}

/** What is unwritten in all tabs; of marks, in this page. */
export async function countInPages(userId: string | undefined): Promise<InPages> {
  if (userId === undefined) return { answers: 0, marks: 0 }
  const answers = [...(await unwrittenInTabs(userId)).values()].reduce((sum, { size }) => sum + size, 0)
  return { answers, marks: unwrittenMarksOf(userId) }
}

/** How many marks of a person are unwritten in this page. */
export function unwrittenMarksOf(userId: string): number {
  return [...unwrittenMarks].filter(([name]) => name.startsWith(`${userId} `)).reduce((sum, [, count]) => sum + count, 0)
}
