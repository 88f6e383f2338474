/** Runs a step that takes this many bytes of memory; resolves to undefined if there is no room for it now. */
type Room = <T>(bytes: number, step: () => Promise<T>) => Promise<T | undefined>

/** @param size in bytes */
export function createRoom(size: number): Room {
  let used = 0
  return async (bytes, step) => {
    if (used + bytes > size) return undefined
    used += bytes
    try {
      return await step()
    } finally {
      used -= bytes
    }
  }
}
