import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '#tests/support/free-port.ts'
import { signInAt } from '#tests/support/installation.ts'
import { ask } from '#tests/support/person.ts'
import { emptyDatabase, engines } from '#tests/support/databases.ts'
import { poolTo } from '#tests/support/postgres.ts'
import { waitFor } from '#tests/support/wait-for.ts'

interface Line {
  level: number
  msg: string
  req?: { path: string }
  why?: string
  err?: object
}

/** The program in a process of its own, with what it logs. */
async function program() {
  const { location, drop } = await emptyDatabase('postgres')
  if (!('url' in location)) throw new Error('no address')
  const folder = await mkdtemp(join(tmpdir(), 'touchline-log-'))
  const port = String(await freePort())
  const settings = { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, DATA_DIR: folder, DATABASE_URL: location.url, LOG_LEVEL: 'info' }
  const child = spawn(process.execPath, ['src/server/main.ts'], {
    env: { PATH: process.env['PATH'] ?? '', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  const announced = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      text += String(chunk)
      if (text.includes('accounts, each by a code')) resolve()
    })
  })
  const pool = poolTo(location.url, 2)
  onTestFinished(async () => {
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    await pool.end()
    await drop()
    await rm(folder, { recursive: true, force: true })
  })
  await announced
  const lines = () =>
    text
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line)
  /** all that was logged until now */
  const settled = async () => {
    const { headers } = await fetch(`${settings.PUBLIC_URL}/api/nowhere`)
    await waitFor(() => text.includes(headers.get('x-request-id') ?? ''))
    return lines()
  }
  return { address: settings.PUBLIC_URL, pool, settled }
}

describe.runIf(engines.includes('postgres'))('the log', () => {
  test('has a line per call, none for health checks, and one with the reason if something is unavailable', async () => {
    const { address, pool, settled } = await program()
    const server = { address }
    await ask(server, 'GET', 'health')
    await ask(server, 'GET', 'settings')
    for (const probe of ['livez', 'readyz']) expect((await fetch(`${address}/${probe}`)).status).toBe(200)
    const id = '00000000-0000-4000-8000-000000000000'
    await ask(server, 'GET', `user/${id}`)
    await ask(server, 'GET', 'user/noa-secret')
    await ask(server, 'GET', `nowhere/secret-token/${id}/user`)
    await pool.query(
      `create function fail() returns trigger language plpgsql as $$ begin raise exception 'no room left' using errcode = '53100'; end $$`,
    )
    await pool.query('create trigger failing before insert on sign_in_challenges for each row execute function fail()')
    const body = { email: 'sam.secret@club.test', userTypeCode: 'player' }
    expect((await ask(server, 'POST', 'user/auth/initiate', { body })).status).toBe(503)
    const lines = await settled()
    const paths = lines.map(({ req }) => req?.path)
    expect(paths).toContain('/api/settings')
    expect(paths).toEqual(expect.arrayContaining([`/api/user/${id}`, '/api/user/:id', `/api/…/…/${id}/user`]))
    for (const quiet of ['/api/health', '/livez', '/readyz']) expect(paths).not.toContain(quiet)
    const unavailable = lines.filter(({ msg }) => msg === 'unavailable')
    expect(unavailable).toEqual([expect.objectContaining({ level: 40, why: 'no room left' })])
    expect(JSON.stringify(unavailable)).not.toMatch(/stack|secret/)
  }, 60_000)

  test('reports no internal error when a caller hangs up before being identified', async () => {
    const { address, pool, settled } = await program()
    const bearer = await signInAt(address, 'player@demo.test')
    const holding = await pool.connect()
    onTestFinished(() => holding.release(true))
    await holding.query('begin; lock table sessions in access exclusive mode')
    const calling = request(`${address}/api/assessment/assessment-instance`, { headers: { authorization: `Bearer ${bearer}` } })
    calling.on('error', () => {})
    calling.end()
    while ((await pool.query(`select from pg_locks where not granted`)).rowCount === 0);
    const closed = new Promise((resolve) => calling.once('close', resolve))
    calling.destroy()
    await closed
    // by then the server has noticed that the caller hung up
    await settled()
    await holding.query('rollback')
    // this call waits behind the one that hung up
    expect((await ask({ address }, 'GET', 'assessment/assessment-instance', { bearer })).status).toBe(200)
    expect((await settled()).filter(({ level }) => level >= 50)).toEqual([])
  }, 60_000)
})
