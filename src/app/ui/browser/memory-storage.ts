/** Replaces a storage that the browser blocks: other tabs do not see it, and it is lost with the page. */

const all = new WeakSet<object>()

export const isMemoryStorage = (storage: object): boolean => all.has(storage)

export function memoryStorage(): object {
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
  all.add(values)
  return values
}
