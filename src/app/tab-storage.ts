/**
 * Session storage: what a tab remembers until it is closed, over reloads. Where the browser blocks it, even its name throws; then nothing
 * is remembered, and nothing fails because of it.
 */
export const tabStorage = {
  get(key: string): string | null {
    let value: string | null = null
    attempt(() => {
      value = sessionStorage.getItem(key)
    })
    return value
  },
  /** @returns whether the value was stored */
  set: (key: string, value: string): boolean => attempt(() => sessionStorage.setItem(key, value)),
  remove(key: string): void {
    attempt(() => sessionStorage.removeItem(key))
  },
  clear(): void {
    attempt(() => sessionStorage.clear())
  },
}

/** @returns whether it could be done */
function attempt(act: () => void): boolean {
  try {
    act()
    return true
  } catch (error) {
    console.warn('Session storage cannot be used', error)
    return false
  }
}
