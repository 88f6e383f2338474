import { LOCK_POLL_MS, STORAGE_SPREADS_MS } from '#app/constants.ts'
import { delay } from '#app/delay.ts'

/** Runs something in one tab at a time. After the deadline the lock is taken from its holder, which may be a suspended tab. Rejects as `run` does. */
export async function withTabLock<T>(name: string, deadlineMs: number, run: () => Promise<T>): Promise<T> {
  // Absent on plain http: there two tabs may run it at once, which the server tolerates.
  if (!('locks' in navigator)) return run()
  let hasBegun = false
  const begin = () => {
    hasBegun = true
    return run()
  }
  try {
    try {
      return await navigator.locks.request(name, { signal: AbortSignal.timeout(deadlineMs) }, begin)
    } catch (error) {
      if (hasBegun) throw error
      return await navigator.locks.request(name, { steal: true }, begin)
    }
  } catch (error) {
    if (hasBegun) throw error
    // a browser that blocks what pages store blocks locks, too
    return run()
  }
}

/** Runs something unless another tab is running it; resolves to undefined then. Where there are no locks it runs. Rejects as `run` does. */
export async function withFreeTabLock<T>(name: string, run: () => Promise<T>): Promise<T | undefined> {
  if (!('locks' in navigator)) return run()
  let hasBegun = false
  try {
    return await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (!lock) return undefined
      hasBegun = true
      return run()
    })
  } catch (error) {
    if (hasBegun) throw error
    return run()
  }
}

/** Whether a tab is running something under this lock. */
export async function isTabLockHeld(name: string): Promise<boolean> {
  if (!('locks' in navigator)) return false
  const { held = [] } = await navigator.locks.query().catch(() => ({ held: [] as LockInfo[] }))
  return held.some((lock) => lock.name === name)
}

/**
 * Resolves once no tab is running anything under this lock: it has ended, or the tab was closed or killed. Looks now and then, as a tab that
 * requests the lock is given it even while it is suspended, and would keep it.
 */
export async function untilTabLockIsFree(name: string): Promise<void> {
  while (await isTabLockHeld(name)) await delay(LOCK_POLL_MS)
}

/** Resolves once this page was told what other tabs have stored: one that was suspended is told of it only when it runs again. */
export async function storageIsCurrent(): Promise<void> {
  if ('locks' in navigator) await navigator.locks.query().catch(() => undefined)
}

export interface TabLock {
  release: () => void
}

/** Holds a lock, once no other tab does, until it is released or the page is gone. Where there are no locks nobody waits for it. */
export function holdTabLock(name: string): TabLock {
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    // a little longer, as a tab in another process may see what was stored later
    release = () => setTimeout(resolve, STORAGE_SPREADS_MS)
  })
  // rejects if another tab takes it, which waited for too long
  if ('locks' in navigator) navigator.locks.request(name, () => isReleased).catch(() => undefined)
  return { release: () => release() }
}

/**
 * Takes a lock, until it is released or the page is gone. Resolves to undefined if another page still has it after `ms`. Where there are no locks
 * everybody has it.
 */
export function takeTabLock(name: string, ms: number): Promise<TabLock | undefined> {
  const withoutLocks: TabLock = { release: () => {} }
  if (!('locks' in navigator)) return Promise.resolve(withoutLocks)
  return new Promise((resolve) => {
    // a browser that blocks what pages store blocks locks, too
    const notHeld = (error: unknown) => resolve(error instanceof DOMException && error.name === 'TimeoutError' ? undefined : withoutLocks)
    const hold = () => new Promise<void>((release) => resolve({ release }))
    const wait = () => {
      if (ms === 0) resolve(undefined)
      else navigator.locks.request(name, { signal: AbortSignal.timeout(ms) }, hold).catch(notHeld)
    }
    // first without a time limit, which in a busy page could pass although the lock is free
    navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock ? hold() : wait())).catch(notHeld)
  })
}
