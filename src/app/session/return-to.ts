/** The same-origin screen that asked for a sign-in (LOGIN-10): an invitation, a payment return. */
import { removeStored, storeForADay, readUnexpired } from './expiring-storage.ts'

const key = 'returnTo'

/** A path of this origin outside /auth, or undefined: never a way off the site. */
export function ownPath(target: string, origin: string): string | undefined {
  if (!target.startsWith('/')) return undefined
  const url = URL.canParse(target, origin) && new URL(target, origin)
  if (!url || url.origin !== origin || url.pathname.startsWith('/auth/')) return undefined
  return url.pathname + url.search + url.hash
}

export function rememberTarget(target: string): void {
  const path = ownPath(target, location.origin)
  if (!path || path === '/') return
  try {
    void storeForADay(key, path)
  } catch (error) {
    // a full storage costs the way back, not the sign-in
    console.warn('Where the sign-in leads back to could not be stored', error)
  }
}

/** Where to go after the code; `/` when nobody asked. Removed on use. */
export function takeTarget(): string {
  const path = ownPath(readUnexpired(key) ?? '/', location.origin)
  removeStored(key)
  return path ?? '/'
}
