import 'fake-indexeddb/auto'
import { it } from 'vitest'
import { db } from '#app/device/store/db.ts'
import { OverlappingHistory, settle } from './overlapping-history.ts'

/**
 * Short histories of one assessment on the real device store, with the server's own rules for saves: requests, replies, saves, Discards,
 * sign-outs, an erasure and a restored server overlap as the seed decides. `INTERLEAVINGS=10000 npx vitest run tests/app/device/interleavings`
 * runs more; `SEED=42` replays one. ANSWERS-11, ANSWERS-17, SESSION-16
 */

const SEED = process.env['SEED']
const COUNT = SEED === undefined ? Number(process.env['INTERLEAVINGS'] ?? 200) : 1
const STEPS = 25

async function run(seed: number) {
  const history = new OverlappingHistory(seed)
  const { random } = history
  await Promise.all(db.tables.map((table) => table.clear()))
  const steps: [number, () => Promise<unknown>][] = [
    [6, () => history.tap()],
    [3, () => history.request()],
    [3, () => history.serve()],
    [4, () => history.store()],
    [3, async () => void history.sync().catch((error: unknown) => history.log.push(`sync failed ${String(error)}`))],
    [
      8,
      async () => {
        history.gates.splice(random.below(history.gates.length), 1)[0]?.()
        await settle()
      },
    ],
    [2, () => history.otherDevice()],
    [1, () => history.discard()],
    [1, () => history.serveDiscard()],
    [2, () => history.storeDiscard()],
    [1, () => history.signOut(true)],
    [0.3, () => history.signOut(false)],
    [0.5, () => history.endSession()],
    [3, () => history.signIn()],
    [0.1, () => history.erase()],
    [0.3, () => history.finish()],
    [0.3, () => history.restoreServer()],
    [0.3, async () => void history.sync(true).catch((error: unknown) => history.log.push(`sync failed ${String(error)}`))],
  ]
  const total = steps.reduce((sum, [weight]) => sum + weight, 0)
  try {
    for (let n = 0; n < STEPS; n += 1) {
      let at = random.next() * total
      const step = steps.find(([weight]) => (at -= weight) < 0)?.[1]
      await step?.()
      await history.check()
    }
    await history.end()
  } catch (error) {
    throw new Error(`SEED=${seed}\n${history.log.join('\n')}`, { cause: error })
  }
}

it(
  'however requests, saves and sign-outs overlap, no unsent answer is lost, no sent one counts as unsent, and none returns',
  { timeout: COUNT * 1000 },
  async () => {
    const first = Number(SEED ?? 1)
    for (let seed = first; seed < first + COUNT; seed += 1) await run(seed)
  },
)
