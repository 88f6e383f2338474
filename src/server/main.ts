import { DEMO_ACCOUNTS } from '#sandbox/demo-accounts/accounts.ts'
import { readEnv, type Env } from './env.ts'
import { isOfThisMachine } from '#sandbox/pages/guard.ts'
import { start, type Running } from './start.ts'

/** Starts the product by the environment and stops it on SIGTERM or SIGINT, finishing what is under way. */

// a call that hangs must not hold up a deployment for ever
const DRAIN_MILLISECONDS = 15_000

function announce(env: Env, { address, deps }: Running): void {
  const lines = [`Touchline listens on ${address}`]
  if (env.mode === 'demo') {
    const secret = isOfThisMachine(env) ? '' : `?secret=${deps.keys.devSecret}`
    lines.push(
      'Demo mode: what is not configured is a stand-in. Production: TOUCHLINE_MODE=production',
      `  portal       ${env.publicUrl}`,
      ...(env.smtpUrl === undefined ? [`  mail, codes  ${env.publicUrl}/dev/mail${secret}`] : ['  mail         real, by SMTP_URL']),
      `  card sandbox ${env.publicUrl}/dev/stripe/control${secret}`,
      `  API          ${env.publicUrl}/api/docs`,
      ...(isOfThisMachine(env)
        ? ['  for this machine alone: before others reach it, by a proxy too, set PUBLIC_URL, or they can read its mail']
        : []),
      `  accounts, each by a code from ${env.smtpUrl === undefined ? 'the mailbox' : 'its mail'}:`,
      ...DEMO_ACCOUNTS.map(({ email, what }) => `    ${email.padEnd(24)} ${what}`),
    )
  }
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
