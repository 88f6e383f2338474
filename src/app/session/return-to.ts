/** The same-origin screen that asked for a sign-in (LOGIN-10): an invitation, a payment return. */
import { trySetItem } from '#app/ui/browser/try-set-item.ts'
import { removeStored, storeForADay, readUnexpired } from './expiring-storage.ts'

const key = 'returnTo'
/** between the path, which has no spaces, and whose screen it is */
const BY = ' '

/** The path if it is on this origin and outside /auth, else undefined, so that a link cannot redirect to another site. */
export function ownPath(target: string, origin: string): string | undefined {
  if (!target.startsWith('/')) return undefined
  const url = URL.canParse(target, origin) && new URL(target, origin)
  if (!url || url.origin !== origin || url.pathname.startsWith('/auth/')) return undefined
  return url.pathname + url.search + url.hash
}

/**
 * This tab has it for itself, too, as another tab has another one. @param owner whose screen it is, if somebody was signed in there
 */
export function rememberTarget(target: string, owner?: string): void {
  const path = ownPath(target, location.origin)
  if (!path) return
  const value = owner === undefined ? path : path + BY + owner
  if (path === '/' && owner === undefined) return
  trySetItem(key, value, sessionStorage)
  const { path: asked, owner: askedBy } = remembered()
  // what a link asked for stays, also if a suspended tab hears of the session's end later
  const isAsked = owner !== undefined && askedBy === undefined && asked !== '/'
  if (path === '/' || isAsked) return
  try {
    void storeForADay(key, value)
  } catch (error) {
    // with a full storage the sign-in still works, but leads to the dashboard
    console.warn('The screen to return to after the sign-in could not be stored', error)
  }
}

function remembered(value = readUnexpired(key)): { path: string; owner: string | undefined } {
  const [path = '/', owner] = value?.split(BY) ?? []
  return { path: ownPath(path, location.origin) ?? '/', owner }
}

/** The path to open after the sign-in, `/` by default. */
export const readTarget = () => remembered().path

/** Forgets a screen of this account, which was erased; a guest's screen stays. */
export function forgetTargetOf(userId: string): void {
  if (remembered().owner === userId) removeStored(key)
  if (remembered(sessionStorage.getItem(key) ?? '').owner === userId) sessionStorage.removeItem(key)
}

/** Returns the path to open for the person who signed in, and removes it: nobody is led to another person's screen. This tab's own comes first. */
export function takeTarget(userId: string | undefined): string {
  const { path, owner } = remembered()
  removeStored(key)
  return takeTargetOfTab(userId) ?? (owner === undefined || owner === userId ? path : '/')
}

/** What asked for the sign-in in this tab, by a link or as this person's session ended on it, and removes it. */
export function takeTargetOfTab(userId: string | undefined): string | undefined {
  const value = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  if (value === null) return undefined
  const { path, owner } = remembered(value)
  return owner === undefined || owner === userId ? path : undefined
}
