import { trustAuthorities } from './authorities.ts'
import { refusalOf } from './db/failures.ts'
import type { Env } from './env.ts'
import type { LogTo } from './http/log.ts'
import { logToStandardOutput, type ProcessLog } from './http/standard-output.ts'
import { resolveLargePackages } from './large-packages.ts'
import type { RunningServer } from './start.ts'

/** Starts the product with the settings of the environment; on SIGTERM or SIGINT drains, finishes running calls and stops. */

// a call that hangs must not block a deployment
const CLOSE_MS = 15_000

function announce(env: Env, { address, sandbox }: RunningServer, log: LogTo): void {
  const lines = [`Touchline listens on ${address}`, ...(sandbox?.announcement ?? [])]
  if (env.databaseUrl === undefined) {
    lines.push('  The embedded database survives a crash of this program, but not a power cut: for that, set DATABASE_URL.')
  }
  log.write(`${lines.join('\n')}\n`)
}

interface StartState {
  log: ProcessLog
  starting?: Promise<RunningServer>
  isListening: boolean
}

/**
 * Until the port is open nobody is waiting, so a signal ends the process at once; without a handler, the first process of a container would
 * ignore it. Afterwards running calls are finished, also those that came before the start was complete.
 */
function stopOnSignals(state: StartState): void {
  let isStopping = false
  const stop = () => {
    const { starting } = state
    if (!starting || !state.isListening) process.exit(0)
    // terminals and supervisors may signal the process group as well as the process: the second signal is ignored
    if (isStopping) return
    isStopping = true
    const stopping = starting.then(async (running) => {
      await running.drain()
      setTimeout(() => process.exit(1), CLOSE_MS).unref()
      await running.close()
    })
    const endWith = async (code: number) => {
      await state.log.flushed()
      process.exit(code)
    }
    stopping.then(
      () => endWith(0),
      (error: unknown) => {
        console.error(error)
        return endWith(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

try {
  const log = logToStandardOutput()
  const state: StartState = { log, isListening: false }
  stopOnSignals(state)
  trustAuthorities(process.env['NODE_EXTRA_CA_CERTS'])
  resolveLargePackages()
  // imported only now, so that the hooks apply to what it loads
  const [{ readEnv }, { start }] = await Promise.all([import('./env.ts'), import('./start.ts')])
  const env = readEnv(process.env)
  state.starting = start(env, { logTo: log, onListening: () => (state.isListening = true) })
  announce(env, await state.starting, log)
} catch (error) {
  console.error(refusalOf(error) ?? (error instanceof Error ? error.message : error))
  process.exit(1)
}
