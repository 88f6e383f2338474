import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { fillPath } from '#contract/endpoint.ts'
import { usersForOperator } from '#contract/users.operator.ts'
import { CardPaymentsError } from '#server/outside/card-payments.ts'
import { endErasedCheckouts } from '#server/payments/erased-checkouts.ts'
import { defaultEngine } from '#tests/support/databases.ts'
import { ask, signIn, type Person } from '#tests/support/person.ts'
import { LONGEST_WAIT_SECONDS, timePasses } from '#tests/support/jobs.ts'
import { booksOf, newCoach, openTokens } from '../tokens/support.ts'
import { callsOf, checkout, during, openShop, payloadsOf, sendEvent, stored, toCheck, type Shop } from './support.ts'

/** Checkouts of people who are erased. BUY-23 */

describe('checkouts of erased people', () => {
  const lines: string[] = []
  let shop: Shop
  let count = 0
  beforeAll(async () => {
    shop = await openShop(defaultEngine, { env: { LOG_LEVEL: 'error' }, logTo: { write: (line) => lines.push(line) } })
  })
  afterAll(() => shop.close())
  afterEach(async () => {
    vi.restoreAllMocks()
    // what is left waits for no later test
    await timePasses(shop.running, LONGEST_WAIT_SECONDS)
    await shop.running.deps.jobs.settled('sweeps')
    lines.length = 0
  })

  const aCoach = async () => {
    const coach = await newCoach(shop.running)
    return { person: coach, sessionId: await openTokens(coach, 5) }
  }
  const aPlayer = async () => {
    count += 1
    const person = await signIn(shop.running, `erased${count}@payments.test`)
    return { person, sessionId: (await checkout(callsOf(shop.running, person.accessToken))).sessionId }
  }
  const erase = async ({ userId, email }: Person) => {
    const { method, path } = usersForOperator.erase
    const options = { bearer: shop.running.deps.keys.operatorKey, body: { email } }
    expect((await ask(shop.running, method, fillPath(path, { userId }), options)).status).toBe(204)
  }
  /** The newest event of a session. */
  const eventOf = (sessionId: string) => payloadsOf(shop, sessionId).at(-1) ?? ''
  const again = (payload: string) => payload.replace(/"evt_\w+"/, `"evt_again${(count += 1)}"`)
  function refund(sessionId: string, amount: number): string {
    shop.control({ action: 'refund', sessionId, amount })
    return eventOf(sessionId)
  }
  const listed = async ({ userId }: Person) => (await toCheck(shop)).data.filter((one) => one.userId === userId)

  test.each([
    ['tokens', aCoach],
    ['an assessment', aPlayer],
  ])('what is paid for %s grants nothing, and is listed until all of it is refunded', async (_, open) => {
    const { person, sessionId } = await open()
    shop.pay(sessionId)
    const completed = eventOf(sessionId)
    await erase(person)
    expect(await sendEvent(shop, completed)).toBe(200)
    expect(await sendEvent(shop, again(completed))).toBe(200)
    const { order, granted } = await stored(shop, sessionId)
    expect([order?.status, granted]).toEqual(['paid', []])
    expect(await booksOf(shop.running.deps.db, person.userId)).toMatchObject({ total: 0, used: 0, owed: 0 })
    expect(JSON.stringify(await shop.running.rows('instances'))).not.toContain(person.userId)
    const total = order?.amountTotal ?? 0
    expect(await listed(person)).toEqual([expect.objectContaining({ orderId: order?.id, why: 'erased', amount: total })])
    // said once
    const said = lines.filter((line) => line.includes(order?.id ?? 'none'))
    expect(said).toEqual([expect.stringContaining('paid by an account that has been erased')])
    expect(said.join()).not.toContain(person.email)

    expect(await sendEvent(shop, refund(sessionId, 1000))).toBe(200)
    expect(await listed(person)).toHaveLength(1)
    const refunded = refund(sessionId, total - 1000)
    expect(await sendEvent(shop, refunded)).toBe(200)
    expect(await listed(person)).toEqual([])
    for (const late of [completed, refunded]) expect(await sendEvent(shop, again(late))).toBe(200)
    expect(await listed(person)).toEqual([])
    expect(await booksOf(shop.running.deps.db, person.userId)).toMatchObject({ total: 0, used: 0, owed: 0 })
    expect(lines.filter((line) => line.includes(order?.id ?? 'none'))).toHaveLength(1)
  })

  test('a refund that is reported before the payment leaves nothing to do, and a dispute that is won does', async () => {
    const { person, sessionId } = await aCoach()
    shop.pay(sessionId)
    const completed = eventOf(sessionId)
    await erase(person)
    shop.control({ action: 'dispute', sessionId, outcome: 'withdrawn' })
    const sent = [eventOf(sessionId), completed, again(completed)].map((payload) => sendEvent(shop, payload))
    expect(await Promise.all(sent)).toEqual([200, 200, 200])
    expect(await listed(person)).toEqual([])
    shop.control({ action: 'dispute', sessionId, outcome: 'reinstated' })
    expect(await sendEvent(shop, eventOf(sessionId))).toBe(200)
    expect(await listed(person)).toMatchObject([{ why: 'erased' }])
    expect(await booksOf(shop.running.deps.db, person.userId)).toMatchObject({ total: 0, used: 0, owed: 0 })
  })

  test.each(['succeeded', 'failed'] as const)('a payment that is still to come when its buyer is erased, and has %s', async (outcome) => {
    during(shop, { settlement: 'later' })
    const { person, sessionId } = await aPlayer()
    shop.pay(sessionId)
    expect(await sendEvent(shop, eventOf(sessionId))).toBe(200)
    await erase(person)
    expect(await sendEvent(shop, again(eventOf(sessionId)))).toBe(200)
    expect(await listed(person)).toMatchObject([{ why: 'unpaid' }])
    shop.control({ action: 'settle', sessionId, outcome })
    expect(await sendEvent(shop, eventOf(sessionId))).toBe(200)
    expect(await listed(person)).toMatchObject(outcome === 'succeeded' ? [{ why: 'erased' }] : [])
    expect((await stored(shop, sessionId)).granted).toEqual([])
    expect(lines.filter((line) => line.includes('has been erased'))).toHaveLength(outcome === 'succeeded' ? 1 : 0)
  })

  test('their open sessions are ended at the provider after the erasure', async () => {
    const { person, sessionId } = await aPlayer()
    await erase(person)
    await shop.running.deps.jobs.settled('sweeps')
    expect(shop.sandbox.sessions.find(sessionId)?.session.status).toBe('expired')
    expect((await stored(shop, sessionId)).order?.status).toBe('expired')
    expect(await listed(person)).toEqual([])
  })

  test('their sessions stay open for us while the provider is away, and are ended once it is back', async () => {
    const { db, jobs } = shop.running.deps
    const { person, sessionId } = await aCoach()
    during(shop, { outage: 'errors' })
    await erase(person)
    await jobs.settled('sweeps')
    expect((await stored(shop, sessionId)).order?.status).toBe('open')
    shop.control({ action: 'behave', outage: 'none' })
    await timePasses(shop.running, LONGEST_WAIT_SECONDS)
    await jobs.settled('sweeps')
    expect((await stored(shop, sessionId)).order?.status).toBe('expired')
    expect((await db.execute(`select from jobs.job where name = 'sweeps' and state <> 'completed'`)).rows).toEqual([])
  })

  test('one that cannot be ended keeps no others from being ended, and one that was paid is listed', async () => {
    const { cards, jobs } = shop.running.deps
    const [first, paid, last] = [await aPlayer(), await aPlayer(), await aPlayer()]
    const { findSession } = cards
    vi.spyOn(cards, 'findSession').mockImplementation((id) => {
      if (id === first.sessionId) throw new CardPaymentsError(new Error('refused'))
      return findSession(id)
    })
    shop.pay(paid.sessionId)
    for (const { person } of [first, paid, last]) await erase(person)
    await jobs.settled('sweeps')
    await endErasedCheckouts(shop.running.deps).catch(() => undefined)
    const status = async ({ sessionId }: { sessionId: string }) => (await stored(shop, sessionId)).order?.status
    expect([await status(first), await status(paid), await status(last)]).toEqual(['open', 'paid', 'expired'])
    expect(await listed(paid.person)).toMatchObject([{ why: 'erased' }])
  })

  test('while the provider replies to nothing, the erasure is not held up, and the sweep ends after a few tries', async () => {
    const { cards, jobs } = shop.running.deps
    const open = [await aPlayer(), await aPlayer(), await aPlayer(), await aPlayer(), await aPlayer()]
    const away = Promise.withResolvers<never>()
    const find = vi.spyOn(cards, 'findSession').mockReturnValue(away.promise)
    for (const { person } of open) await erase(person)
    away.reject(new CardPaymentsError(new Error('no reply')))
    await jobs.settled('sweeps')
    find.mockClear()
    await expect(endErasedCheckouts(shop.running.deps)).rejects.toThrow(CardPaymentsError)
    expect(find).toHaveBeenCalledTimes(3)
  })
})
