/** Stands for local or session storage, over `values`, whose keys are its own as in a browser. */
export function fakeStorage(values = new Map<string, string>()) {
  const storage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
    clear: () => values.clear(),
    values,
  }
  return new Proxy(storage, {
    ownKeys: () => [...values.keys()],
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(storage, key) ?? { enumerable: true, configurable: true },
  })
}
