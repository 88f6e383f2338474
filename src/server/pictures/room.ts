/** Runs a step of a person that takes this many bytes of memory; resolves to undefined if there is no room for it now. */
type Room = <T>(personId: string, bytes: number, step: () => Promise<T>) => Promise<T | undefined>

/** @param size in bytes, of which one person may take `share` */
export function createRoom(size: number, share: number): Room {
  const usedBy = new Map<string, number>()
  let used = 0
  const take = (personId: string, bytes: number) => {
    used += bytes
    const own = (usedBy.get(personId) ?? 0) + bytes
    if (own === 0) usedBy.delete(personId)
    else usedBy.set(personId, own)
  }
  return async (personId, bytes, step) => {
    if (used + bytes > size || (usedBy.get(personId) ?? 0) + bytes > share) return undefined
    take(personId, bytes)
    try {
      return await step()
    } finally {
      take(personId, -bytes)
    }
  }
}
