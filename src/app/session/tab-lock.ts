/** Runs something in one tab at a time. After the deadline the lock is taken from its holder, which may be a suspended tab. Rejects as `run` does. */
export async function withTabLock<T>(name: string, deadlineMs: number, run: () => Promise<T>): Promise<T> {
  // Absent on plain http: there two tabs may run it at once, which the server tolerates.
  if (!('locks' in navigator)) return run()
  let hasBegun = false
  const begin = () => {
    hasBegun = true
    return run()
  }
  try {
    try {
      return await navigator.locks.request(name, { signal: AbortSignal.timeout(deadlineMs) }, begin)
    } catch (error) {
      if (hasBegun) throw error
      return await navigator.locks.request(name, { steal: true }, begin)
    }
  } catch (error) {
    if (hasBegun) throw error
    // a browser that blocks what pages store blocks locks, too
    return run()
  }
}
