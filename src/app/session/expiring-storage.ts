/** Values that must survive the app being killed during sign-in (LOGIN-16). They expire after 24 h. */
import { CLOCK_SET_BACK_MS, SIGN_IN_MAX_AGE_MS } from '#app/constants.ts'
import { remember } from '#app/remember.ts'
import { copySession } from './stored-copy.ts'

const untilKey = (key: string) => `${key}.until`

/** Resolves to whether it would survive the browser being killed, once that is known. Throws if the storage is full. */
export function storeForADay(key: string, value: string): Promise<boolean> {
  localStorage.setItem(key, value)
  localStorage.setItem(untilKey(key), String(Date.now() + SIGN_IN_MAX_AGE_MS))
  return copySession()
}

export function readUnexpired(key: string): string | undefined {
  const left = Number(localStorage.getItem(untilKey(key)) ?? 0) - Date.now()
  // More than a day left means that the clock was set back: the day starts again, unless it was set back so far that the age is unknown.
  if (left > SIGN_IN_MAX_AGE_MS && left <= SIGN_IN_MAX_AGE_MS + CLOCK_SET_BACK_MS)
    remember(untilKey(key), String(Date.now() + SIGN_IN_MAX_AGE_MS))
  if (left > 0 && left <= SIGN_IN_MAX_AGE_MS + CLOCK_SET_BACK_MS) return localStorage.getItem(key) ?? undefined
  removeStored(key)
  return undefined
}

export function removeStored(key: string): void {
  if (localStorage.getItem(key) === null) return
  localStorage.removeItem(key)
  localStorage.removeItem(untilKey(key))
  void copySession()
}
