/**
 * For what is worth storing and not worth failing for: a storage that is full or closed costs the value, never what was
 * being done. Says whether it is stored.
 */
export function remember(key: string, value: string, storage: Pick<Storage, 'setItem'> = localStorage): boolean {
  try {
    storage.setItem(key, value)
    return true
  } catch (error) {
    console.warn(`${key} could not be stored`, error)
    return false
  }
}
