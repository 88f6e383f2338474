/** Values that must outlive the app being killed during sign-in, and not much more (ruling 9): 24 h, then gone. */
import { SIGN_IN_KEPT_MS } from '#app/constants.ts'

const untilKey = (key: string) => `${key}.until`

export function keepForADay(key: string, value: string): void {
  localStorage.setItem(key, value)
  localStorage.setItem(untilKey(key), String(Date.now() + SIGN_IN_KEPT_MS))
}

export function readKept(key: string): string | undefined {
  const left = Number(localStorage.getItem(untilKey(key)) ?? 0) - Date.now()
  // More than a day left means that the clock was turned back: the same as past.
  if (left > 0 && left <= SIGN_IN_KEPT_MS) return localStorage.getItem(key) ?? undefined
  forget(key)
  return undefined
}

export function forget(key: string): void {
  localStorage.removeItem(key)
  localStorage.removeItem(untilKey(key))
}
