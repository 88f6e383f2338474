import type { InstanceRows } from '#app/sync/rows.ts'
import type { InstanceKey, StoredInstance } from './store/stored.ts'

/** Questionnaires that are open in this page: a file of answers includes what the disk did not take (ANSWERS-27). */

export interface ScreenState {
  /** undefined until the questionnaire is shown */
  instance: StoredInstance | undefined
  rows: InstanceRows
  /** question ids of the rows that are newer than the disk's */
  unwritten: ReadonlySet<string>
}

const open = new Map<string, () => ScreenState>()
const nameOf = ({ userId, instanceId }: InstanceKey) => `${userId} ${instanceId}`

/** Returns a function that takes it off. */
export function registerScreen(key: InstanceKey, read: () => ScreenState): () => void {
  const name = nameOf(key)
  open.set(name, read)
  return () => void (open.get(name) === read && open.delete(name))
}

export function screenStateOf(key: InstanceKey): ScreenState | undefined {
  return open.get(nameOf(key))?.()
}
