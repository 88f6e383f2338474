import { beforeEach, describe, expect, test } from 'vitest'
import type { Instance } from '#contract/instances.ts'
import type { ParagraphMark } from '#contract/rules/paragraph-marks.ts'
import { eraseClosedAccounts } from '#server/users/closed-accounts.ts'
import { givenPerson, newEmail } from '#tests/support/given-person.ts'
import { ask, closeAccount, movableClock, signIn, type Person } from '#tests/support/person.ts'
import { givenServer, startServer, type TestServer } from '#tests/support/start-server.ts'

/** A player's marks on the paragraphs of a result, over HTTP. RESULTS-19 */

const pathOf = (id: string) => `assessment/assessment-instance/${id}/marks`
type Found = { marks: ParagraphMark[]; code?: string; fields?: Record<string, string> }

const read = (server: TestServer, person: Person, id: string) => ask<Found>(server, 'GET', pathOf(id), { bearer: person.accessToken })
const mark = (server: TestServer, person: Person, id: string, ...marks: unknown[]) =>
  ask<Found>(server, 'PUT', pathOf(id), { bearer: person.accessToken, body: { marks } })

describe('marks', () => {
  const server = givenServer()
  const player = givenPerson(server, 'player')
  let id: string

  beforeEach(async () => {
    id = await server.giveInstance(player, 1)
  })

  test('are stored, changed and removed; a repeated call changes nothing', async () => {
    expect((await read(server, player, id)).body).toEqual({ marks: [] })
    const first = { paragraph: 'overview-1', mark: 'like', at: 1000 }
    const second = { paragraph: 'type-INTJ', mark: 'not', at: 1001 }
    expect((await mark(server, player, id, second, first)).body).toEqual({ marks: [first, second] })
    expect((await mark(server, player, id, second, first)).body).toEqual({ marks: [first, second] })
    const taken = { ...first, mark: null, at: 1002 }
    expect((await mark(server, player, id, taken)).body).toEqual({ marks: [taken, second] })
    expect((await read(server, player, id)).body).toEqual({ marks: [taken, second] })
  })

  test('from two devices: the later tap wins, whichever arrives first', async () => {
    const later = { paragraph: 'style-play', mark: 'not', at: 5000 }
    await mark(server, player, id, later)
    expect((await mark(server, player, id, { ...later, mark: 'like', at: 4000 })).body).toEqual({ marks: [later] })
    expect((await mark(server, player, id, { ...later, mark: 'like' })).body, 'at the same moment').toEqual({ marks: [later] })
    const last = { ...later, mark: 'partly', at: 6000 }
    expect((await mark(server, player, id, last)).body).toEqual({ marks: [last] })
  })

  test('from many devices at once: the latest of each paragraph remains', async () => {
    const paragraphs = ['overview-1', 'overview-2', 'overview-3', 'overview-4']
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, device) => {
        const marks = paragraphs.map((paragraph) => ({ paragraph, mark: device % 2 === 0 ? 'like' : 'not', at: 1000 + device }))
        return mark(server, player, id, ...(device % 3 === 0 ? marks.toReversed() : marks))
      }),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    const expected = paragraphs.map((paragraph) => ({ paragraph, mark: 'not', at: 1011 }))
    expect((await read(server, player, id)).body).toEqual({ marks: expected })
  })

  test('are visible and writable only to their player', async () => {
    const other = await signIn(server, newEmail('other'))
    const one = { paragraph: 'overview-1', mark: 'like', at: 1 }
    for (const unknown of [id, 'nonsense', crypto.randomUUID()]) {
      expect((await read(server, other, unknown)).status).toBe(404)
      expect((await mark(server, other, unknown, one)).status).toBe(404)
    }
    expect((await read(server, player, id)).body).toEqual({ marks: [] })
  })

  test('require a result', async () => {
    const open = await server.giveInstance(player, 0.5)
    const one = { paragraph: 'overview-1', mark: 'like', at: 1 }
    for (const reply of [await read(server, player, open), await mark(server, player, open, one)])
      expect([reply.status, reply.body.code]).toEqual([409, 'NOT_COMPLETE'])
  })

  test('that are invalid are refused, all of the call', async () => {
    const one = { paragraph: 'overview-1', mark: 'like', at: 1 }
    const wrong = [
      [],
      [one, one],
      [one, { ...one, paragraph: 'overview-7' }],
      [one, { ...one, paragraph: 'overview-2', mark: 'maybe' }],
      [one, { ...one, paragraph: 'overview-2', at: -1 }],
      [one, { ...one, paragraph: 'overview-2', at: 0.5 }],
      [one, { ...one, paragraph: 'overview-2', at: 8_640_000_000_000_001 }],
      [one, { ...one, paragraph: 'type-ABCD' }],
      [one, { ...one, paragraph: 'overview-2', more: true }],
      Array.from({ length: 27 }, (_, at) => ({ ...one, at })),
    ]
    for (const marks of wrong) expect((await mark(server, player, id, ...marks)).status, JSON.stringify(marks)).toBe(400)
    expect((await read(server, player, id)).body).toEqual({ marks: [] })
  })

  test('do not change the instance', async () => {
    const instance = async () =>
      (await ask<Instance>(server, 'GET', `assessment/assessment-instance/${id}`, { bearer: player.accessToken })).body
    const before = await instance()
    await mark(server, player, id, { paragraph: 'overview-1', mark: 'not', at: 1 })
    expect(await instance()).toEqual(before)
  })
})

test('a time in the future counts as now, and an erased account leaves no marks', async () => {
  const clock = movableClock()
  const server = await startServer({ clock })
  try {
    const player = await signIn(server, newEmail('ahead'))
    const id = await server.giveInstance(player, 1)
    const now = clock.now().getTime()
    const reply = await mark(server, player, id, { paragraph: 'overview-1', mark: 'like', at: now + 3_600_000 })
    expect(reply.body.marks).toEqual([{ paragraph: 'overview-1', mark: 'like', at: now }])
    clock.forward(60)
    const later = { paragraph: 'overview-1', mark: 'not', at: now + 60_000 }
    expect((await mark(server, player, id, later)).body.marks).toEqual([later])

    await closeAccount(server, player)
    clock.forward(31 * 86_400)
    await eraseClosedAccounts(server.deps)
    expect(await server.rows('instances')).toHaveLength(1)
    expect(await server.rows('paragraph_marks')).toEqual([])
  } finally {
    await server.close()
  }
})
