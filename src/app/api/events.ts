/** Something that happens, and whoever wants to know. */
export interface Happening<T> {
  subscribe: (listener: (value: T) => void) => () => void
  tell: (value: T) => void
}

export function happening<T = void>(): Happening<T> {
  const listeners = new Set<(value: T) => void>()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell(value) {
      for (const listener of [...listeners]) listener(value)
    },
  }
}
