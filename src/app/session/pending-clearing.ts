/**
 * Users whose data is still to be removed from this device: the database may hang at a sign-out, and a session that the server
 * ends is cleared later. docs/decisions/0032-what-stays-on-a-device.md
 */
import { trySetItem } from '#app/ui/browser/try-set-item.ts'

export const PENDING_CLEARING_KEY = 'pendingClearing'

export interface Clearing {
  userId: string
  /** unsent answers stay, for their owner */
  keepUnsent: boolean
  /** sent answers of open assessments stay too: the server may have been restored from a backup (SESSION-20) */
  keepOpen?: boolean
  /** proof of the account, to ask what became of it (left-accounts.ts) */
  proof?: string | undefined
  /** of a sign-out: the id of the session that it ends */
  endsSession?: string | undefined
  /** of a sign-out: when the token was issued that it ends, epoch ms by the server's clock, as a device's may be set back */
  issuedAt?: number | undefined
}

export function pendingClearings(): Clearing[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(PENDING_CLEARING_KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isClearing) : []
  } catch {
    return []
  }
}

/** Calls the listener when another tab noted or removed one. */
export function watchPendingClearings(listener: () => void): void {
  addEventListener('storage', ({ key }) => key === PENDING_CLEARING_KEY && listener())
}

/** Replaces the earlier entry of this user but keeps its proof, since a sign-out after the session's end has none. */
export function addPendingClearing(clearing: Clearing): void {
  const proof = clearing.proof ?? pendingClearings().find(({ userId }) => userId === clearing.userId)?.proof
  put([...others(clearing.userId), { ...clearing, proof }])
}

export function removePendingClearing(userId: string): void {
  put(others(userId))
}

const others = (userId: string) => pendingClearings().filter((one) => one.userId !== userId)

function put(clearings: Clearing[]): void {
  if (clearings.length === 0) localStorage.removeItem(PENDING_CLEARING_KEY)
  else trySetItem(PENDING_CLEARING_KEY, JSON.stringify(clearings))
}

function isClearing(value: unknown): value is Clearing {
  return typeof value === 'object' && value !== null && 'userId' in value && typeof value.userId === 'string' && 'keepUnsent' in value
}
