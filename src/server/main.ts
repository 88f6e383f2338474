import { readEnv, type Env } from './env.ts'
import { start, type Running } from './start.ts'

/** Starts the product by the environment and stops it on SIGTERM or SIGINT, finishing what is under way. */

// a call that hangs must not hold up a deployment for ever
const DRAIN_MILLISECONDS = 15_000

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
    // a terminal tells all of its processes, and a supervisor a whole group and then each: told twice is told once
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(1), DRAIN_MILLISECONDS).unref()
    running.close().then(
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
