import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { api } from '#contract/api.ts'
import { ONE_TIME_CODE_LENGTH } from '#contract/constants.ts'
import type { ReceivedMail } from '#server/outside/mailbox.ts'
import { freePort } from '#tests/support/engines.ts'
import { ask } from '#tests/support/person.ts'
import { GOOD_CARD, until } from '../outside/support.ts'
import { callsOf, checkout, type Calls } from './support.ts'

// A real process, because only a real one can be killed. It starts twice, which takes long on a busy machine.
const START_TWICE = 180_000
const NODE = existsSync('node_modules/.bin/node') ? 'node_modules/.bin/node' : process.execPath

async function installation() {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-killed-'))
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
    const env = { ...process.env, PORT: String(port), PUBLIC_URL: address, DATA_DIR: folder, LOG_LEVEL: 'silent' }
    running = spawn(NODE, ['src/server/main.ts'], { env, stdio: 'ignore' })
    await until(async () => {
      if (running?.exitCode !== null) throw new Error('the server did not start')
      return (await fetch(`${address}/api/health`).catch(() => null))?.status === 200
    })
  }
  return { address, start, kill }
}

async function signInAt(address: string, email: string): Promise<Calls> {
  const server = { address }
  const started = await ask<{ session: string }>(server, 'POST', 'user/auth/initiate', { body: { email, userTypeCode: 'player' } })
  const mails = (await (await fetch(`${address}/dev/mail.json?to=${email}`)).json()) as ReceivedMail[]
  const otp = new RegExp(`\\d{${ONE_TIME_CODE_LENGTH}}`).exec(mails[0]?.text ?? '')?.[0]
  const body = { session: started.body.session, email, otp }
  const verified = await ask<{ accessToken: string }>(server, 'POST', 'user/auth/verify-otp', { body })
  return callsOf(server, verified.body.accessToken)
}

function post(address: string, path: string, body: object): Promise<Response> {
  return fetch(`${address}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}

async function ownInstances(player: Calls): Promise<{ status: string }[]> {
  return (await player<{ data: { status: string }[] }>(api.instances.list)).body.data
}

it(
  'a server killed between payment and fulfilment delivers after it is started again',
  async () => {
    const { address, start, kill } = await installation()
    await start()
    const player = await signInAt(address, 'killed@payments.test')
    await post(address, '/dev/stripe/control', { action: 'behave', delivery: 'held' })
    const opened = await checkout(player)
    const paid = await post(address, '/dev/card-frame/pay', { clientSecret: opened.clientSecret, lang: 'en', ...GOOD_CARD })
    expect(await paid.json()).toEqual({
      sessionId: opened.sessionId,
      returnUrl: `${address}/stripe/direct-purchase/return?session_id=${opened.sessionId}`,
    })
    expect(await ownInstances(player)).toEqual([])
    await kill()

    await start()
    const mails = (await (await fetch(`${address}/dev/mail.json?to=killed@payments.test`)).json()) as ReceivedMail[]
    expect(mails).toHaveLength(1)
    await post(address, '/dev/stripe/control', { action: 'release' })
    await until(async () => (await ownInstances(player)).length === 1)
    expect(await ownInstances(player)).toMatchObject([{ status: 'OWNED' }])
  },
  START_TWICE,
)
