import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { ONE_TIME_CODE_LENGTH } from '#contract/constants.ts'
import type { ReceivedMail } from '#sandbox/mailbox/mailbox.ts'
import { copyDemoFolder } from './demo-folder.ts'
import { freePort } from './free-port.ts'
import { ask } from './person.ts'

const NODE = existsSync('node_modules/.bin/node') ? 'node_modules/.bin/node' : process.execPath

interface Installation {
  address: string
  start: () => Promise<void>
  /** with SIGKILL, so that it cannot end cleanly */
  kill: () => Promise<void>
}

/** The demo in its own process and folder, because only a real process can be killed. */
export async function installation(settings: Record<string, string> = {}): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-killed-'))
  if (settings['DATABASE_URL'] === undefined) await copyDemoFolder(folder)
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  let running: ChildProcess | undefined
  const kill = async () => {
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const gone = once(running, 'exit')
    running.kill('SIGKILL')
    await gone
  }
  onTestFinished(async () => {
    await kill()
    await rm(folder, { recursive: true, force: true })
  })
  const start = async () => {
    const env = { ...process.env, PORT: String(port), PUBLIC_URL: address, DATA_DIR: folder, LOG_LEVEL: 'silent', ...settings }
    const started = spawn(NODE, ['src/server/main.ts'], { env, stdio: 'ignore' })
    running = started
    for (;;) {
      if (started.exitCode !== null) throw new Error('the server did not start')
      if ((await fetch(`${address}/api/health`).catch(() => null))?.status === 200) return
      await delay(10)
    }
  }
  return { address, start, kill }
}

/** Mails to an address, newest first, from the demo's mailbox page. */
export async function mailsAt(address: string, to: string): Promise<ReceivedMail[]> {
  return (await (await fetch(`${address}/dev/mail.json?to=${to}`)).json()) as ReceivedMail[]
}

/** Signs in there and returns the access token. */
export async function signInAt(address: string, email: string): Promise<string> {
  const server = { address }
  const started = await ask<{ session: string }>(server, 'POST', 'user/auth/initiate', { body: { email, userTypeCode: 'player' } })
  const [mail] = await mailsAt(address, email)
  const otp = new RegExp(`\\d{${ONE_TIME_CODE_LENGTH}}`).exec(mail?.text ?? '')?.[0]
  const body = { session: started.body.session, email, otp }
  return (await ask<{ accessToken: string }>(server, 'POST', 'user/auth/verify-otp', { body })).body.accessToken
}
