import { trySetItem } from '#app/ui/browser/try-set-item.ts'

/**
 * The errors that toasts showed, for /device: a toast disappears after a few seconds (SHELL-13). In local storage, so that a sign-out
 * or the end of a session removes them, as the next person must not read them; where that storage is blocked or full, this page's own are
 * still listed. Not for support: a text may name an email address.
 */
export interface RecentError {
  /** epoch ms */
  at: number
  /** as it was shown */
  text: string
  /** of the text; missing in those of older builds */
  language?: string
  /** for the text in another language; from JSON */
  failed?: unknown
}

/** A key of words with its area. */
export type WordsKey = `${string}:${string}`

/** What failed: a translation key, or an error with the key of the text to use if it has none of its own. */
export type Failed = WordsKey | { error: unknown; fallback?: WordsKey }

const RECENT_ERRORS_KEY = 'recentErrors'
const MOST = 20

const listeners = new Set<() => void>()
let unstored: readonly RecentError[] = []
/** the same list as long as nothing changed, for `useSyncExternalStore` */
let last: { stored: string | null; unstored: readonly RecentError[]; list: readonly RecentError[] } | undefined

/** Newest first. */
export function recentErrors(): readonly RecentError[] {
  const stored = read()
  if (last?.stored !== stored || last.unstored !== unstored)
    last = { stored, unstored, list: [...unstored, ...parsed(stored)].slice(0, MOST) }
  return last.list
}

/** Calls the listener when the list changed, here or in another tab. */
export function onRecentErrors(listener: () => void): () => void {
  listeners.add(listener)
  const onStorage = ({ key }: StorageEvent) => (key === RECENT_ERRORS_KEY || key === null) && listener()
  addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', onStorage)
  }
}

export function noteError(error: RecentError): void {
  if (!trySetItem(RECENT_ERRORS_KEY, JSON.stringify([error, ...parsed(read())].slice(0, MOST)))) unstored = [error, ...unstored]
  emit()
}

export function forgetErrors(): void {
  unstored = []
  try {
    localStorage.removeItem(RECENT_ERRORS_KEY)
  } catch (error) {
    console.warn('Storage is blocked', error)
  }
  emit()
}

function emit(): void {
  for (const listener of listeners) listener()
}

function read(): string | null {
  try {
    return localStorage.getItem(RECENT_ERRORS_KEY)
  } catch {
    // storage is blocked
    return null
  }
}

function parsed(text: string | null): RecentError[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(stored) ? stored.filter(isRecentError) : []
  } catch {
    // the value is not ours
    return []
  }
}

function isRecentError(value: unknown): value is RecentError {
  const { at, text } = (value ?? {}) as Partial<RecentError>
  return typeof at === 'number' && typeof text === 'string'
}
