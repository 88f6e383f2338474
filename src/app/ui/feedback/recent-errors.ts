import { remember } from '#app/remember.ts'

/**
 * The errors that toasts showed, for /device: a toast disappears after a few seconds (SHELL-13). In local storage, so a sign-out
 * removes them. Not for support: a text may name an email address.
 */
export interface RecentError {
  /** epoch ms */
  at: number
  /** as it was shown */
  text: string
}

const KEY = 'recentErrors'
const MOST = 20

/** Newest first. */
export function recentErrors(): RecentError[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isRecentError) : []
  } catch {
    // storage is blocked, or the value is not ours
    return []
  }
}

export function noteError(text: string): void {
  remember(KEY, JSON.stringify([{ at: Date.now(), text }, ...recentErrors()].slice(0, MOST)))
}

export function forgetErrors(): void {
  localStorage.removeItem(KEY)
}

function isRecentError(value: unknown): value is RecentError {
  return (
    typeof value === 'object' &&
    value !== null &&
    'at' in value &&
    typeof value.at === 'number' &&
    'text' in value &&
    typeof value.text === 'string'
  )
}
