import { beforeAll, describe, expect, it } from 'vitest'
import { buildPortal } from './screens/bundle.ts'
import { FAULTS } from './screens/network.ts'
import { callsInAnHour, measureReturn } from './screens/waiting-phones.ts'
import type { PhonePorts } from './screens/phone.ts'
import { History } from './screens/history.ts'

/**
 * Seeded histories of the portal's pages, on the production code of screens, session, device and sync. ANSWERS-29
 * `SCREEN_MODELS=10000 npx vitest run tests/chaos/screens` runs more; `SEED=42` replays one, `PHONES=1000` brings back more phones.
 */

const MODELS = Number(process.env['SCREEN_MODELS'] ?? 20)
const FIRST = Number(process.env['SEED'] ?? process.env['FIRST_SEED'] ?? 1)
/** phones that come back at once */
const PHONES = Number(process.env['PHONES'] ?? 20)
const COUNT = process.env['SEED'] ? 1 : MODELS

let evaluate: PhonePorts['evaluate']
beforeAll(async () => {
  evaluate = await buildPortal()
})

describe('pages of one phone', () => {
  it('lose no answer, send nothing as somebody else, and say nothing untrue', { timeout: 24 * 3_600_000 }, async () => {
    for (let seed = FIRST; seed < FIRST + COUNT; seed += 1) await new History(seed, evaluate).run()
  })
})

describe('calls of phones that wait', () => {
  it.each(FAULTS.map((fault, place) => [fault, place] as const))(
    'an hour in which renewing fails by %s: at most 130',
    async (fault, place) => {
      expect(await callsInAnHour(fault, evaluate, place + 1)).toBeLessThanOrEqual(130)
    },
  )

  it('of many that come back at once, all are served within two minutes', { timeout: 24 * 3_600_000 }, async () => {
    const { seconds, peak, refused } = await measureReturn(PHONES, evaluate)
    console.log(`${PHONES} phones: all in after ${seconds} s, at most ${peak} calls in a second, ${refused} refused`)
    expect(seconds).toBeLessThanOrEqual(120)
  })
})
