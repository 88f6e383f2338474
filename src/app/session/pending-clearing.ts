/**
 * Whose things are still to be removed from this device, until that has succeeded: a database may hang while somebody signs
 * out, and a session that the server ends leaves what nobody cleared. docs/decisions/0032-what-stays-on-a-device.md
 */
import { remember } from '#app/remember.ts'

export const PENDING_CLEARING_KEY = 'pendingClearing'

export interface Clearing {
  userId: string
  /** what the server has not got stays, locked to its owner */
  keepUnsent: boolean
  /** so does what the server says to have of assessments under way: it may have been put back to a backup (SESSION-20) */
  keepOpen?: boolean
}

export function pendingClearings(): Clearing[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(PENDING_CLEARING_KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isClearing) : []
  } catch {
    return []
  }
}

export function notePendingClearing(clearing: Clearing): void {
  put([...others(clearing.userId), clearing])
}

export function removePendingClearing(userId: string): void {
  put(others(userId))
}

const others = (userId: string) => pendingClearings().filter((one) => one.userId !== userId)

function put(clearings: Clearing[]): void {
  if (clearings.length === 0) localStorage.removeItem(PENDING_CLEARING_KEY)
  else remember(PENDING_CLEARING_KEY, JSON.stringify(clearings))
}

function isClearing(value: unknown): value is Clearing {
  return typeof value === 'object' && value !== null && 'userId' in value && typeof value.userId === 'string' && 'keepUnsent' in value
}
