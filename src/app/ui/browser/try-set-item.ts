/**
 * Stores a value that the app can do without: a full or blocked storage is logged and does not throw.
 * @returns whether the value was stored
 */
export function trySetItem(key: string, value: string, storage?: Pick<Storage, 'setItem'>): boolean {
  try {
    // within `try`: where storage is blocked, naming it throws too
    ;(storage ?? localStorage).setItem(key, value)
    return true
  } catch (error) {
    console.warn(`${key} could not be stored`, error)
    return false
  }
}
