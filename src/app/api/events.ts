/** An event; `subscribe` returns a function that unsubscribes. */
export interface AppEvent<T> {
  subscribe: (listener: (value: T) => void) => () => void
  emit: (value: T) => void
}

export function createEvent<T = void>(): AppEvent<T> {
  const listeners = new Set<(value: T) => void>()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    emit(value) {
      for (const listener of [...listeners]) listener(value)
    },
  }
}
