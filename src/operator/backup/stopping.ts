import { ExitError } from '../exit.ts'
import type { Tool } from '../tool.ts'

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Runs work that these signals abort, so that it can clean up. Repeated signals are ignored: npm passes on a terminal's. */
export async function untilSignal<T>({ warn }: Tool, work: (stopped: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController()
  const stop = (signal: NodeJS.Signals) => {
    if (stopping.signal.aborted) return
    warn(`Ending after ${signal}, and removing what is there of it.`)
    stopping.abort(new ExitError(`Nothing was left: it was ended by ${signal}.`))
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  try {
    const result = await work(stopping.signal)
    if (stopping.signal.aborted) warn('It was complete before it could be ended: nothing was removed.')
    return result
  } catch (error) {
    throw stopping.signal.aborted ? stopping.signal.reason : error
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}
