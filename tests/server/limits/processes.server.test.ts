import { expect, onTestFinished, test } from 'vitest'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { emptyDatabase, engines } from '#tests/support/databases.ts'
import { installation, signInAt } from '#tests/support/installation.ts'
import { ask } from '#tests/support/person.ts'

const STARTS = 6
const WRITES = 60

/** Limits are those of the installation, however many processes it has and however often they are restarted (docs/decisions/0025). */
test.runIf(engines.includes('postgres'))(
  'three processes on one database share each limit, and a killed one loses no count',
  async ({ skip }) => {
    const windowOf = () => Math.floor(Date.now() / 600_000)
    const begun = windowOf()
    const { location, drop } = await emptyDatabase('postgres')
    onTestFinished(drop)
    const folder = await mkdtemp(join(tmpdir(), 'touchline-limits-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const settings = {
      DATABASE_URL: 'url' in location ? location.url : '',
      // the same keys and the same address, so that each accepts the others' tokens
      DATA_DIR: folder,
      PUBLIC_URL: 'http://127.0.0.1:1',
      STARTS_PER_HOUR_PER_ADDRESS: String(STARTS),
      WRITES_PER_TEN_MINUTES: String(WRITES),
    }
    const processes = [await installation(settings), await installation(settings), await installation(settings)]
    for (const one of processes) await one.start()
    const inTurn = async (calls: number, call: (server: { address: string }, count: number) => Promise<{ status: number }>) => {
      const replies = Array.from({ length: calls }, (_, count) => call(processes[count % 3] ?? { address: '' }, count))
      return (await Promise.all(replies)).map(({ status }) => status)
    }
    const start = (server: { address: string }, count: number) =>
      ask(server, 'POST', 'user/auth/initiate', { body: { email: `a${count}@club.test`, userTypeCode: 'player' } })

    const bearer = await signInAt(processes[0]?.address ?? '', 'player@club.test')
    const starts = await inTurn(21, start)
    const write = (server: { address: string }) =>
      ask(server, 'POST', 'assessment/assessment-instance/responses', { bearer, body: 'no json' })
    const writes = await inTurn(90, write)
    for (const one of processes) await one.kill()
    for (const one of processes) await one.start()
    const later = [...(await inTurn(3, start)), ...(await inTurn(6, write))]
    // windows begin by the clock, and in a new one everything is allowed again
    skip(windowOf() !== begun, 'a new window of ten minutes began meanwhile')

    const statuses = Array.from({ length: 21 }, (_, index) => (index < STARTS - 1 ? 200 : 429))
    expect(starts.toSorted((a, b) => a - b)).toEqual(statuses)
    // a call that is refused for its body counts, too
    const allowed = writes.filter((status) => status === 400).length
    expect(new Set(writes)).toEqual(new Set([400, 429]))
    expect(allowed).toBeLessThanOrEqual(WRITES)
    // each process may have fetched a block of two that it did not spend
    expect(allowed).toBeGreaterThanOrEqual(WRITES - 3 * 2)
    expect(new Set(later)).toEqual(new Set([429]))
  },
  240_000,
)
