/**
 * If the browser blocks local or session storage, accessing it throws (in some WebViews it is null), and the app would not start: the page
 * then gets storages in memory, until it is left. Imported before everything that uses one.
 */

function ownStorage() {
  const values: Record<string, string> = Object.create({
    getItem: (key: string) => values[key] ?? null,
    setItem: (key: string, value: string) => {
      values[key] = value
    },
    removeItem: (key: string) => {
      delete values[key]
    },
    clear: () => {
      for (const key of Object.keys(values)) delete values[key]
    },
  })
  return values
}

function isBlocked(name: 'localStorage' | 'sessionStorage'): boolean {
  try {
    return !globalThis[name]
  } catch {
    return true
  }
}

/** those that the browser blocks */
export const blocked = (['localStorage', 'sessionStorage'] as const).filter(isBlocked)

for (const name of blocked) {
  console.warn(`${name} is blocked; what it would keep is lost with the page`)
  Object.defineProperty(globalThis, name, { value: ownStorage() })
}
