import { waitFor } from '#tests/support/wait-for.ts'
import { describe, expect, it, test, vi } from 'vitest'
import { LEFT_ACCOUNT_CHECK_MS } from '#app/constants.ts'
import {
  alex,
  checkLeftAccounts,
  db,
  unreadErasure,
  left,
  leftAccounts,
  leftOf,
  noteLeftAccount,
  proofOf,
  sam,
  server,
  signedIn,
} from './left-accounts-page.ts'

/** Which left accounts are checked with the server, and how often. SESSION-22 */

/** Lets nothing be stored until the returned function is called. */
function fillStorage(): () => void {
  const { setItem } = localStorage
  const storeBy = (value: unknown) => void Object.defineProperty(localStorage, 'setItem', { configurable: true, value })
  storeBy(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  return () => storeBy(setItem)
}

test('it is checked once and then daily, however often the app is opened', async () => {
  left(sam)
  for (let start = 0; start < 5; start += 1) await checkLeftAccounts()
  expect(server.checked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(LEFT_ACCOUNT_CHECK_MS - 1000)
  expect(server.checked).toHaveLength(1)
  // also by a page that stays open
  server.states = { [sam]: 'erased' }
  await vi.advanceTimersByTimeAsync(2000)
  await waitFor(async () => expect(await leftOf(sam)).toEqual([]))
  expect(server.checked).toHaveLength(2)
})

test('a full storage, which cannot keep the time of the check, causes no loop', async () => {
  left(sam)
  const makeRoom = fillStorage()
  await checkLeftAccounts()
  await vi.advanceTimersByTimeAsync(3_600_000)
  // waits for the running check
  await checkLeftAccounts()
  makeRoom()
  expect(server.checked.length).toBeGreaterThan(1)
  expect(server.checked.length).toBeLessThan(8)
})

test('a clock that was set back does not put it off', async () => {
  noteLeftAccount({ userId: sam, proof: proofOf(sam), askedAt: Date.now() + 10 * LEFT_ACCOUNT_CHECK_MS })
  await checkLeftAccounts()
  expect(server.checked).toHaveLength(1)
})

test('two tabs check once', async () => {
  left(sam)
  server.states = { [sam]: 'erased' }
  await Promise.all([checkLeftAccounts(), checkLeftAccounts(), checkLeftAccounts()])
  expect(server.checked).toHaveLength(1)
  expect(unreadErasure()).toMatchObject({ unsent: 1 })
})

test('a refusal of one does not stop the check of the others', async () => {
  left(sam, alex)
  const refusals = [Response.json({ code: 'TOO_MANY_REQUESTS', message: '-', requestId: '-' }, { status: 429 })]
  server.reply = (userId) => refusals.pop() ?? Response.json({ state: 'erased', userId })
  await checkLeftAccounts()
  expect(server.checked).toEqual([proofOf(sam), proofOf(alex)])
  expect([await leftOf(alex), leftAccounts().map(({ userId }) => userId)]).toEqual([[], [sam]])
})

test('it is checked without the token of whoever is signed in', async () => {
  left(sam)
  const { sessionPort } = await import('#app/api/session-port.ts')
  sessionPort.provide({ storedToken: () => 'the token of Alex' } as never)
  signedIn(alex)
  await checkLeftAccounts()
  expect([server.checked, server.tokens]).toEqual([[proofOf(sam)], []])
})

test('nothing is checked with the proof of another account', async () => {
  noteLeftAccount({ userId: alex, proof: proofOf(sam) })
  server.states = { [sam]: 'erased' }
  await checkLeftAccounts()
  expect([server.checked, unreadErasure()]).toMatchObject([[], undefined])
})

describe('the check causes no loop', () => {
  it('if a full storage cannot keep that an erased one was removed', async () => {
    noteLeftAccount({ userId: sam, proof: proofOf(sam), state: 'erased' })
    left(alex)
    const makeRoom = fillStorage()
    const removals = vi.spyOn(db, 'transaction')
    await checkLeftAccounts()
    await vi.advanceTimersByTimeAsync(60_000)
    await checkLeftAccounts()
    makeRoom()
    expect(await leftOf(sam)).toEqual([])
    expect(removals.mock.calls.filter(([mode]) => mode === 'rw')).toHaveLength(1)
  })

  it('if the server requires a wait that is longer than a timer can be', async () => {
    left(sam)
    const headers = { 'retry-after': String(60 * 86_400) }
    server.reply = () => Response.json({ code: 'TOO_MANY_REQUESTS', message: '-', requestId: '-' }, { status: 429, headers })
    await checkLeftAccounts()
    const readings = vi.spyOn(performance, 'now')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(readings.mock.calls.length).toBeLessThan(20)
    expect(server.checked).toHaveLength(1)
  })
})

test.each([undefined, Date.now()])(
  'an account that is signed in again is neither checked nor noted, whether checked before or not (%s)',
  async (askedAt) => {
    noteLeftAccount({ userId: sam, proof: proofOf(sam), state: 'missing', answers: 2, ...(askedAt && { askedAt }) })
    signedIn(sam)
    await checkLeftAccounts()
    expect([server.checked, leftAccounts()]).toEqual([[], []])
  },
)
