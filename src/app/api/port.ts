/**
 * Lets a folder use one that imports it: the folder that needs something declares a port, the other provides it when it starts.
 * docs/decisions/0042-ports.md
 */
export interface Port<T> {
  provide: (given: T) => void
  /** undefined before it is provided */
  get: () => T | undefined
  /** resolves once it is provided */
  provided: Promise<T>
}

/** @param onProvided called before `provide` returns */
export function createPort<T>(onProvided?: (given: T) => void): Port<T> {
  let current: T | undefined
  let resolve: (given: T) => void
  const provided = new Promise<T>((done) => {
    resolve = done
  })
  return {
    provide(given) {
      current = given
      onProvided?.(given)
      resolve(given)
    },
    get: () => current,
    provided,
  }
}
