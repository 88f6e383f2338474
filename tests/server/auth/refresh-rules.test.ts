import { describe, expect, test } from 'vitest'
import { judgeRefresh, PARENT_GRACE_SECONDS, type ClientInfo, type SessionState } from '#server/auth/refresh-rules.ts'
import { Random } from '#tools/instrument/random.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const START = Date.UTC(2026, 2, 1)

const phone: ClientInfo = { client: 'phone', agent: 'Chrome, Android' }

/** A session as the server stores it, and its replies: the number of the token given, or what ended it. */
function sessionOf(owner: ClientInfo = phone) {
  const begun = new Date(START)
  const state: SessionState = {
    ...owner,
    refreshCounter: 0,
    rotatedAt: begun,
    lastUsedAt: begun,
    absoluteEnd: new Date(START + 365 * DAY_MS),
    revokedAt: null,
    repeats: 0,
    repeatsToday: 0,
    repeatsDay: '',
  }
  /** the oldest token that works at this time without making a new one; undefined before there are two */
  const oldest = (at: number): number | undefined => {
    const isInGrace = at - state.rotatedAt.getTime() <= PARENT_GRACE_SECONDS * SECOND_MS
    const counter = state.refreshCounter - (isInGrace ? 2 : 1)
    return counter >= 0 ? counter : state.refreshCounter > 0 ? 0 : undefined
  }
  const ask = (counter: number, at: number, requester: ClientInfo = owner): number | 'ended' | 'replay' => {
    const now = new Date(at)
    const verdict = judgeRefresh(state, counter, requester, now)
    switch (verdict.kind) {
      case 'rotate':
        Object.assign(state, { refreshCounter: counter + 1, rotatedAt: now, lastUsedAt: now, repeats: 0 })
        return counter + 1
      case 'again':
        if (verdict.counted) Object.assign(state, verdict.counted, { lastUsedAt: now })
        return counter + 1
      case 'replay':
        state.revokedAt = now
        return 'replay'
      case 'ended':
        return 'ended'
    }
  }
  return { ask, oldest }
}

describe('a thief', () => {
  /** The owner uses the app for an hour a day and refreshes every 20 minutes; the thief makes no new token, so the owner misses none. */
  function untilDetected(every: number, days: number): number | undefined {
    const { ask, oldest } = sessionOf()
    let owners = 0
    for (let at = START + SECOND_MS; at < START + days * DAY_MS; at += SECOND_MS) {
      const inDay = (at - START) % DAY_MS
      if (inDay < HOUR_MS && inDay % (20 * MINUTE_MS) === 0) {
        const next = ask(owners, at)
        if (typeof next === 'string') return at
        owners = next
      }
      const stolen = (at - START) % every === 0 ? oldest(at) : undefined
      if (stolen !== undefined && typeof ask(stolen, at) === 'string') return at
    }
    return undefined
  }

  test('who refreshes every 50 s with the oldest working token is detected within the hour, even with the device’s own data', () => {
    expect(untilDetected(50 * SECOND_MS, 2)).toBeLessThan(START + HOUR_MS)
  })

  test.each([2, 5, 10, 25, 60].map((minutes) => [minutes]))('who refreshes every %i minutes is detected within the day', (minutes) => {
    expect(untilDetected(minutes * MINUTE_MS, 2)).toBeLessThan(START + DAY_MS)
  })

  test.each([
    ['another device', { client: 'laptop', agent: phone.agent }],
    ['a program that gives no id', { client: '', agent: phone.agent }],
  ])('on %s is detected at once, with a parent token and with the newest', (_what, thief) => {
    const { ask } = sessionOf()
    const next = ask(0, START + HOUR_MS)
    expect(next).toBe(1)
    expect(ask(0, START + 2 * HOUR_MS, thief)).toBe('replay')
    expect(ask(1, START + 2 * HOUR_MS)).toBe('ended')
    expect(sessionOf().ask(0, START + HOUR_MS, thief)).toBe('replay')
  })

  test('is detected by user agent if there is no device id: another one may use the newest token, but no parent', () => {
    const tool = { client: '', agent: 'club-tool' }
    const { ask } = sessionOf(tool)
    expect(ask(0, START + HOUR_MS, { client: '', agent: 'Chrome, Linux' })).toBe(1)
    expect(ask(0, START + 2 * HOUR_MS)).toBe(1)
    expect(ask(0, START + 3 * HOUR_MS, { client: '', agent: 'Chrome, Linux' })).toBe('replay')
  })

  test('who takes turns with the owner is detected by the daily count', () => {
    const { ask } = sessionOf()
    let reply: number | string = 0
    let owners = 0
    for (let at = START + 10 * MINUTE_MS; typeof reply === 'number' && at < START + DAY_MS; at += 10 * MINUTE_MS) {
      reply = ask(owners, at) // the thief, with the newest token
      if (typeof reply === 'number') reply = ask(owners, at + 5 * MINUTE_MS)
      if (typeof reply === 'number') owners = reply
    }
    expect(reply).toBe('replay')
  })
})

describe('no theft is detected for', () => {
  test('eight tabs at once, and a minute of retries in a tunnel', () => {
    const { ask } = sessionOf()
    for (let i = 0; i < 8; i += 1) expect(ask(0, START + HOUR_MS)).toBe(1)
    for (let i = 0; i < 59; i += 1) expect(ask(0, START + HOUR_MS + i * SECOND_MS)).toBe(1)
  })

  test('a token newer than the backup that was restored, on its own device', () => {
    const { ask, oldest } = sessionOf()
    expect(ask(2, START + HOUR_MS)).toBe(3)
    // it is a rotation: the server has caught up with the device
    expect(oldest(START + HOUR_MS + 2 * MINUTE_MS)).toBe(2)
    expect(ask(3, START + 2 * HOUR_MS)).toBe(4)
    // but not on another device
    expect(sessionOf().ask(2, START + HOUR_MS, { client: 'laptop', agent: phone.agent })).toBe('replay')
  })

  test('a session from before devices were distinguished', () => {
    const { ask } = sessionOf({ client: '', agent: '' })
    expect(ask(0, START + HOUR_MS, phone)).toBe(1)
    expect(ask(0, START + 3 * DAY_MS, phone)).toBe(1)
  })

  test('a season of 300 phones that lose 30 % of the replies and, sometimes, their storage', () => {
    let refreshes = 0
    let repeats = 0
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = new Random(seed)
      const { ask } = sessionOf()
      let held = 0
      let at = START
      while (at < START + 120 * DAY_MS) {
        // the time until the next visit; now and then the phone is not used for days
        at += random.next() < 0.1 ? random.next() * 10 * DAY_MS : 20 * MINUTE_MS + random.next() * 8 * HOUR_MS
        for (let wait = SECOND_MS, hasReply = false; !hasReply; wait = Math.min(2 * wait, 5 * MINUTE_MS)) {
          refreshes += 1
          const reply = ask(held, at)
          if (typeof reply === 'string') throw new Error(`phone ${seed} was signed out after ${(at - START) / DAY_MS} days: ${reply}`)
          hasReply = random.next() >= 0.3
          // the browser was killed before it stored the token, so the next visit sends the old one
          if (hasReply && random.next() < 0.05) {
            repeats += 1
            break
          }
          if (hasReply) held = reply
          // a call without a reply times out, and the phone waits before the next
          else at += 10 * SECOND_MS + wait * (0.5 + random.next())
        }
      }
    }
    expect(refreshes).toBeGreaterThan(50_000)
    expect(repeats).toBeGreaterThan(1000)
  })
})
