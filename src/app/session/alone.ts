import { REFRESH_LOCK_DEADLINE_MS } from '#app/constants.ts'

const name = 'touchline.refresh'

/** Runs one refresh among all tabs. A suspended tab may hold the lock for ever, so after the deadline it is taken from it. */
export async function alone<T>(run: () => Promise<T>): Promise<T> {
  // Absent on plain http, where the server's grace for the parent token does the rest.
  if (!('locks' in navigator)) return run()
  let hasBegun = false
  const begin = () => {
    hasBegun = true
    return run()
  }
  try {
    return await navigator.locks.request(name, { signal: AbortSignal.timeout(REFRESH_LOCK_DEADLINE_MS) }, begin)
  } catch (error) {
    if (hasBegun) throw error
    return navigator.locks.request(name, { steal: true }, begin)
  }
}
