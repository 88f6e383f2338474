import type { GroupValue } from './questionnaire.ts'

/** A group as the server holds it. `revision` counts its accepted values, from 1. */
export interface StoredGroup {
  questionId: string
  value: GroupValue
  revision: number
  /** the device that wrote it; null when the call named none */
  device: string | null
}

/** A group as one device sends it. `base` is the revision its edit was made on, 0 for none. */
export interface SentGroup {
  questionId: string
  value: GroupValue
  base: number
}

/** A group that a save left as it says, in the log. */
export type LoggedGroup = SentGroup & Pick<StoredGroup, 'revision'>

/** One that came late, with what stayed in its place. */
export type LateGroup = SentGroup & { current: Pick<StoredGroup, 'revision' | 'value'> }

/**
 * Two devices, one group (ANSWERS-11): where the current value came from another device and the sender had not
 * seen it, the current one stays and the late one is only logged. A device's own earlier saves count as seen.
 * A sender that names no device speaks the plain call of ANSWERS-4 and always writes.
 */
export function isSuperseded(current: StoredGroup | undefined, sent: SentGroup, device: string | null): boolean {
  if (!current || device === null || current.device === device) return false
  if (sameValue(current.value, sent.value)) return false
  return sent.base < current.revision
}

export function sameValue(a: GroupValue, b: GroupValue): boolean {
  const ids = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...ids].every((id) => (a[id] ?? null) === (b[id] ?? null))
}
