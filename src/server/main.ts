import { readEnv, type Env } from './env.ts'
import { start, type Running } from './start.ts'

/** Starts the product with the settings of the environment; on SIGTERM or SIGINT says so, finishes running calls and stops. */

// a call that hangs must not block a deployment
const CLOSE_MILLISECONDS = 15_000

function announce(env: Env, { address, sandbox }: Running): void {
  const lines = [`Touchline listens on ${address}`, ...(sandbox?.announcement ?? [])]
  if (env.databaseUrl === undefined) {
    lines.push('  The embedded database survives a crash of this program, but not a power cut: for that, set DATABASE_URL.')
  }
  console.log(lines.join('\n'))
}

function stopOnSignals(running: Running): void {
  let isStopping = false
  const stop = () => {
    // terminals and supervisors may signal the process group as well as the process: the second signal is ignored
    if (isStopping) return
    isStopping = true
    const stopping = running.drain().then(() => {
      setTimeout(() => process.exit(1), CLOSE_MILLISECONDS).unref()
      return running.close()
    })
    stopping.then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

try {
  const env = readEnv(process.env)
  const running = await start(env)
  announce(env, running)
  stopOnSignals(running)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
