/** Values that must survive the app being killed during sign-in (LOGIN-16). They expire after 24 h. */
import { hasHeardServer, serverNow } from '#app/api/server-clock.ts'
import { CLOCK_SET_BACK_MS, SIGN_IN_MAX_AGE_MS } from '#app/constants.ts'
import { trySetItem } from '#app/ui/browser/try-set-item.ts'
import { copySession } from './stored-copy.ts'

const CLOCKS_DIFFER_MS = 60_000

const untilKey = (key: string) => `${key}.until`

/** The ends by the device's clock and the server's, epoch ms: either clock may be the one that was set since. */
const ends = () => `${Date.now() + SIGN_IN_MAX_AGE_MS} ${serverNow() + SIGN_IN_MAX_AGE_MS}`

/** Resolves to whether it would survive the browser being killed, once that is known. Throws if the storage is full. */
export function storeForADay(key: string, value: string): Promise<boolean> {
  localStorage.setItem(key, value)
  localStorage.setItem(untilKey(key), ends())
  return copySession()
}

export function readUnexpired(key: string): string | undefined {
  const [byDevice = 0, byServer = byDevice] = (localStorage.getItem(untilKey(key)) ?? '0').split(' ').map(Number)
  const left = [byDevice - Date.now(), byServer - serverNow()]
  // More than a day left means that the clock was set back: the day starts again, unless it was set back so far that the age is unknown.
  const isSetBack = (ms: number) => ms > SIGN_IN_MAX_AGE_MS && ms <= SIGN_IN_MAX_AGE_MS + CLOCK_SET_BACK_MS
  const isLeft = (ms: number) => ms > 0 && ms <= SIGN_IN_MAX_AGE_MS
  if (!left.some(isLeft) && left.some(isSetBack)) trySetItem(untilKey(key), ends())
  if (left.some((ms) => isLeft(ms) || isSetBack(ms))) return localStorage.getItem(key) ?? undefined
  const doClocksAgree = Math.abs(serverNow() - Date.now()) < CLOCKS_DIFFER_MS
  // a page that has heard the server, before the device's clock was set, keeps the value until the next reply
  if (doClocksAgree || !hasHeardServer()) removeStored(key)
  return undefined
}

export function removeStored(key: string): void {
  if (localStorage.getItem(key) === null) return
  localStorage.removeItem(key)
  localStorage.removeItem(untilKey(key))
  void copySession()
}
