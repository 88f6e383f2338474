/** Where the browser blocks local storage, its name throws and the app would not start: the page then has one of its own, until it is left. */

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

try {
  void localStorage
} catch (error) {
  console.warn('Local storage is blocked; what it would keep is lost with the page', error)
  Object.defineProperty(globalThis, 'localStorage', { value: values })
}
