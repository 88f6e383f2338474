/** Runs something in one tab at a time. A suspended tab may hold the lock for ever, so after the deadline it is taken from it. */
export async function withTabLock<T>(name: string, deadlineMs: number, run: () => Promise<T>): Promise<T> {
  // Absent on plain http; what runs in one tab at a time is harmless twice, by the server's rules.
  if (!('locks' in navigator)) return run()
  let hasBegun = false
  const begin = () => {
    hasBegun = true
    return run()
  }
  try {
    return await navigator.locks.request(name, { signal: AbortSignal.timeout(deadlineMs) }, begin)
  } catch (error) {
    if (hasBegun) throw error
    return navigator.locks.request(name, { steal: true }, begin)
  }
}
