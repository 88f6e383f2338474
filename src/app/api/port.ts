/**
 * What a room needs of one that imports it: declared by the room that needs it, filled by the other at its start.
 * docs/decisions/0041-ports.md
 */
export interface Port<T> {
  fill: (given: T) => void
  /** undefined before it is filled */
  get: () => T | undefined
  /** resolves once it is filled */
  filled: Promise<T>
}

/** @param onFilled done before `fill` returns */
export function createPort<T>(onFilled?: (given: T) => void): Port<T> {
  let current: T | undefined
  let resolve: (given: T) => void
  const filled = new Promise<T>((done) => {
    resolve = done
  })
  return {
    fill(given) {
      current = given
      onFilled?.(given)
      resolve(given)
    },
    get: () => current,
    filled,
  }
}
