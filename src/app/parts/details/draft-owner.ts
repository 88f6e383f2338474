import { takeTabLock, type TabLock } from '#app/session/tab-lock.ts'

/** Which page a draft belongs to: one that another page has is neither shown nor removed. docs/decisions/0071-a-save-names-what-was-edited.md */

/** held by the page that has opened or stored the draft, until it is gone: no other page shows or removes it */
const ownerLockOf = (key: string) => `touchline owner of ${key}`

/** The drafts of this page, from the request of their locks on. */
const owned = new Map<string, Promise<TabLock | undefined>>()

/** Makes this page the owner of a draft. Resolves to false if another page still is after `ms`. */
export async function lockDraft(key: string, ms: number): Promise<boolean> {
  watchLeaving()
  const lock = owned.get(key) ?? takeTabLock(ownerLockOf(key), ms)
  owned.set(key, lock)
  const isLocked = (await lock) !== undefined
  if (!isLocked && owned.get(key) === lock) owned.delete(key)
  return isLocked
}

let isWatching = false

/** Leaves this page's drafts to the next page of the tab: the browser may keep this one for Back. */
function watchLeaving(): void {
  if (isWatching) return
  isWatching = true
  addEventListener('pagehide', () => {
    for (const lock of owned.values()) void lock.then((one) => one?.release())
    owned.clear()
  })
}
