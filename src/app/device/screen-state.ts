import type { InstanceRows } from '#app/sync/rows.ts'
import { textOfKey, type InstanceKey, type StoredInstance } from './store/stored.ts'

/** Questionnaires that are open in this page, so that a file of answers includes what the disk refused (ANSWERS-27). */

interface ScreenState {
  /** undefined until the questionnaire is shown */
  instance: StoredInstance | undefined
  rows: InstanceRows
  /** question ids of the rows that are newer than the disk's */
  unwritten: ReadonlySet<string>
}

const openScreens = new Map<string, () => ScreenState>()

/** Returns a function that unregisters it. */
export function registerScreen(key: InstanceKey, read: () => ScreenState): () => void {
  const name = textOfKey(key)
  openScreens.set(name, read)
  return () => void (openScreens.get(name) === read && openScreens.delete(name))
}

export function screenStateOf(key: InstanceKey): ScreenState | undefined {
  return openScreens.get(textOfKey(key))?.()
}
