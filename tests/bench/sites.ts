/** Runs the product and the two yardsticks, and signs people in to the product. */
import { fork, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Credentials } from '#contract/auth.ts'
import type { CallSlotsOptions } from '#server/http/call-slots.ts'
import { paths } from '#app/paths.ts'
import type { Site } from './browser.ts'
import type { NewPlayer, Requests } from './serve.ts'
import { buildYardsticks, cache } from './yardsticks.ts'

const dist = fileURLToPath(new URL('../../dist/', import.meta.url))

export interface Sites {
  floor: Site
  react: Site
  /** the product, at the questionnaire of a new player */
  ours: () => Promise<Site>
}

export interface SignedIn extends NewPlayer {
  credentials: Credentials
}

export interface Server {
  address: string
  ask: <Name extends keyof Requests>(name: Name, ask: Requests[Name]['ask']) => Promise<Requests[Name]['answer']>
  signIn: () => Promise<SignedIn>
  /** of an existing account */
  credentialsOf: (email: string) => Promise<Credentials>
  close: () => Promise<void>
}

/** Copies the build, so that a new build does not change the measurement. */
export async function copyOfBuild(): Promise<string> {
  if (!existsSync(join(dist, 'index.html'))) throw new Error('there is no production build in dist/')
  const copy = join(cache, 'product/')
  await rm(copy, { recursive: true, force: true })
  await cp(dist, copy, { recursive: true })
  return copy
}

/** Starts the product in its own process; `env` as in `.env.example`. */
export async function startProduct(files: string, env: Record<string, string> = {}, callSlots: CallSlotsOptions = {}): Promise<Server> {
  const child = fork(fileURLToPath(new URL('./serve.ts', import.meta.url)), {
    // as the image and the unit, or with an embedded database as `npm start`
    execArgv: [`--max-semi-space-size=${env['DATABASE_URL'] === undefined ? 8 : 16}`],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ask = asker(child)
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'touchline-bench-'))
  const many = '1000000'
  const address = await ask('product', {
    files,
    callSlots,
    env: {
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
      STARTS_PER_HOUR_PER_ADDRESS: many,
      VERIFIES_PER_HOUR_PER_ADDRESS: many,
      READS_PER_TEN_MINUTES: many,
      WRITES_PER_TEN_MINUTES: many,
      ...env,
    },
  })
  return {
    address,
    ask,
    signIn: async () => {
      const player = await ask('player', {})
      return { ...player, credentials: await credentialsOf(address, player.email) }
    },
    credentialsOf: (email) => credentialsOf(address, email),
    async close() {
      await ask('close', {}).catch(() => undefined)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function asker(child: ChildProcess): Server['ask'] {
  let count = 0
  const waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>()
  child.on('message', ({ id, answer, error }: { id: number; answer?: unknown; error?: string }) => {
    const one = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) one?.resolve(answer as never)
    else one?.reject(new Error(error))
  })
  child.on('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the serving process ended with ${code}`))
    waiting.clear()
  })
  return (name, question) =>
    new Promise((resolve, reject) => {
      count += 1
      waiting.set(count, { resolve, reject })
      child.send({ id: count, name, ask: question })
    })
}

/** Signs in with the code from the mailbox. */
async function credentialsOf(address: string, email: string): Promise<Credentials> {
  const { session } = await post<{ session: string }>(address, 'user/auth/initiate', { email, userTypeCode: 'player' })
  const mails = (await (await fetch(`${address}/dev/mail.json?to=${email}`)).json()) as { text: string }[]
  const otp = /\b\d{8}\b/.exec(mails[0]?.text ?? '')?.[0] ?? ''
  return post<Credentials>(address, 'user/auth/verify-otp', { session, email, otp })
}

async function post<Reply>(address: string, path: string, body: object): Promise<Reply> {
  const response = await fetch(`${address}/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Reply
}

/** The credentials that the portal stores. SESSION-3 */
export function storedCredentials({ accessToken, refreshToken, idToken, expiresIn }: Credentials): Record<string, string> {
  return { accessToken, refreshToken, idToken, expiresAt: String(Date.now() + expiresIn * 1000) }
}

/** Starts all three with the same headers and the same compression. */
export async function startSites(server: Server): Promise<Sites> {
  const folders = await buildYardsticks()
  const productPage = `${server.address}${paths.login()}`
  const plain = async (name: 'floor' | 'react'): Promise<Site> => ({
    name,
    origin: await server.ask('yardstick', { folder: folders[name], productPage }),
    path: '/',
    stored: {},
  })
  return {
    floor: await plain('floor'),
    react: await plain('react'),
    async ours() {
      const { credentials, instanceId } = await server.signIn()
      return { name: 'ours', origin: server.address, path: paths.test(instanceId), stored: storedCredentials(credentials) }
    },
  }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
