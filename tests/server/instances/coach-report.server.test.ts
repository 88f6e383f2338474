import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import type { CoachReport } from '#contract/instances.coach.ts'
import type { Instance, InstanceSummary } from '#contract/instances.ts'
import { LANGUAGES } from '#contract/languages.ts'
import { instances, type StoredResults } from '#server/db/schema/instances.ts'
import { users } from '#server/db/schema/users.ts'
import { eraseClosedAccounts } from '#server/users/closed-accounts.ts'
import { ask, closeAccount, signIn, type Person } from '#tests/support/person.ts'
import { givenCoach } from './given.ts'
import { allocate, coachWith, complete, openBrief, reclaim, save, type Said } from './support.ts'

/** GET assessment/coach/allocated/{instanceId}/report: the coach's page of a player. TEAM-8, TEAM-21, TEAM-22, PRIVACY-2, PRIVACY-3 */

const LETTERS = ['EI', 'SN', 'TF', 'JP'] as const

/** Counts of the letters by axis, first side first, and the place of the style. */
function resultOf(counts: readonly [number, number][], place: { ideaExperience: number; doWatch: number }, value: string): StoredResults {
  return {
    scoringVersion: '1',
    Section1: { value: 'play', modes: { experience: 41, watch: 19, idea: 17, do: 43 }, axes: place, closeCalls: [] },
    section2: {
      value,
      axes: LETTERS.map((axis, at) => {
        const [firstCount = 0, secondCount = 0] = counts[at] ?? []
        const [first = '', second = ''] = axis
        return { axis, first, second, firstCount, secondCount, strength: 'strong', closeCall: false }
      }),
    },
    section3: { facets: [{ id: 'composure', mean: 4.25 }] },
  }
}

describe('the coach’s page of a player', () => {
  const given = givenCoach(2)
  let player: Person
  let id: string

  const path = (instanceId = id) => `assessment/coach/allocated/${instanceId}/report`
  const read = (as: Person, instanceId = id, language = 'en') =>
    ask<CoachReport & Said>(given.server, 'GET', path(instanceId), { bearer: as.accessToken, language })
  const refusalOf = async (as: Person, instanceId = id) => {
    const { status, body } = await read(as, instanceId)
    return [status, body.code]
  }
  const store = (change: Partial<typeof instances.$inferInsert>) =>
    given.server.deps.db.update(instances).set(change).where(eq(instances.id, id))
  const done = async () => {
    await openBrief(given.server, player, id)
    await save(given.server, player, id)
    expect((await complete(given.server, player, id)).status).toBe(200)
  }

  beforeEach(async () => {
    player = await signIn(given.server, given.address('player'))
    const name = { firstName: 'Maya', lastName: 'Lindqvist' }
    await given.server.deps.db.update(users).set(name).where(eq(users.id, player.userId))
    id = (await allocate(given.server, given.coach, player.email, { playerName: 'The new one' })).body.instanceId
  })

  test('says what is clear and what follows from it, and not a count', async () => {
    await done()
    // E and P are clear, S/N and T/F lie between; the style is clear. Version 1 stored neither letters nor styles.
    const results = resultOf(
      [
        [9, 2],
        [6, 5],
        [5, 6],
        [3, 8],
      ],
      { ideaExperience: -24, doWatch: 24 },
      'ESFP',
    )
    await store({ results, scoringVersion: '1', contentVersion: 'touchline-profile-1' })
    const { status, body, text } = await read(given.coach)
    expect(status).toBe(200)
    const sources = ['E', 'P', 'Free Play']
    expect(body).toEqual({
      instanceId: id,
      userName: 'Maya',
      userLastname: 'Lindqvist',
      name: expect.stringContaining('Touchline') as string,
      completedDate: given.server.deps.clock.now().toISOString(),
      results: {
        Section1: { styles: [{ value: 'play', result: 'Free Play' }] },
        section2: {
          axes: [
            { axis: 'EI', first: 'E', second: 'I', letter: 'E' },
            { axis: 'SN', first: 'S', second: 'N', letter: null },
            { axis: 'TF', first: 'T', second: 'F', letter: null },
            { axis: 'JP', first: 'J', second: 'P', letter: 'P' },
          ],
        },
      },
      advice: {
        situations: ['feedback', 'exercise', 'beforeMatch', 'afterMatch', 'mistake'].map((situation) => ({
          situation,
          lines: (/Match/.test(situation) ? ['E', 'P'] : sources).map((source) => ({ source, text: expect.any(String) as string })),
        })),
        questions: [expect.any(String), expect.any(String), expect.any(String)],
      },
    })
    expect(text).not.toMatch(/modes|facet|strength|closeCall|Count|axes":\{|\b41\b|4\.25/)
    // the nearest side where neither is clear
    expect(text).not.toContain('ESFP')
  })

  test('where nothing is clear there are only the questions', async () => {
    await done()
    await store({
      results: resultOf(
        [
          [6, 5],
          [5, 6],
          [7, 4],
          [4, 7],
        ],
        { ideaExperience: 2, doWatch: -3 },
        'ENTP',
      ),
    })
    const { body, text } = await read(given.coach)
    expect(text).not.toContain('ENTP')
    expect(body.results.Section1.styles.map(({ value }) => value)).toEqual(['plan', 'play', 'training', 'view'])
    expect(body.advice.situations.flatMap(({ lines }) => lines)).toEqual([])
    expect(body.advice.questions).toHaveLength(3)
  })

  test.each(LANGUAGES)('is the same page for its player and the coach, in the language of the caller (%s)', async (language) => {
    await done()
    const [own, coachs] = [await read(player, id, language), await read(given.coach, id, language)]
    expect(own.status).toBe(200)
    expect(own.body).toEqual(coachs.body)
    expect(own.body.advice.questions[0]).toMatch(language === 'fr' ? /^Qu’/ : /^What/)
  })

  test('the coach’s own name for a player stays with the coach', async () => {
    await done()
    await given.server.deps.db.update(users).set({ firstName: null, lastName: null }).where(eq(users.id, player.userId))
    expect((await read(given.coach)).body.userName).toBe('The new one')
    expect((await read(player)).body.userName).toBeNull()
  })

  test('is refused until it is completed, and does not tell who has an account', async () => {
    const unknown = (await allocate(given.server, given.coach, given.address('nobody'))).body.instanceId
    expect(await refusalOf(given.coach, unknown)).toEqual([409, 'NO_REPORT_YET'])
    expect(await refusalOf(given.coach)).toEqual([409, 'NO_REPORT_YET'])
    await openBrief(given.server, player, id)
    await save(given.server, player, id)
    expect(await refusalOf(given.coach)).toEqual([409, 'NO_REPORT_YET'])
    expect(await refusalOf(player)).toEqual([409, 'NOT_COMPLETE'])
    const messageFor = async (as: Person) => (await read(as, id, 'fr')).body.message
    expect(await messageFor(given.coach)).toBe('Il n’y a pas encore de rapport : l’évaluation n’est pas terminée.')
    expect(await messageFor(player)).toBe('Certaines questions attendent encore une réponse.')
  })

  test('is refused after a reclaim', async () => {
    expect((await reclaim(given.server, given.coach, id)).status).toBe(200)
    expect(await refusalOf(given.coach)).toEqual([409, 'ALREADY_RECLAIMED'])
    expect(await refusalOf(player)).toEqual([409, 'INSTANCE_RECLAIMED'])
    expect((await read(player, id, 'fr')).body.message).toBe(
      'Cette évaluation a été reprise, par ton coach ou parce qu’elle a été remboursée.',
    )
  })

  test('is 404 for everybody else, as for an instance that does not exist', async () => {
    await done()
    const others = [await signIn(given.server, given.address('other')), await coachWith(given.server, given.address('other-coach'), 0)]
    const absent = await read(given.coach, crypto.randomUUID())
    expect([absent.status, absent.body.code]).toEqual([404, 'NOT_FOUND'])
    for (const one of others)
      expect((await read(one)).text.replace(/"requestId":"[^"]*"/, '')).toBe(absent.text.replace(/"requestId":"[^"]*"/, ''))
    expect(await refusalOf(given.coach, 'x')).toEqual([404, 'NOT_FOUND'])
  })

  test('is 404 for what a player bought', async () => {
    const own = await given.server.giveInstance(player, 1)
    expect(await refusalOf(player, own)).toEqual([404, 'NOT_FOUND'])
  })

  test('its player is told that nobody reads it while the coach’s account is closed', async () => {
    await done()
    const listed = async (as: Person) => {
      const { body } = await ask<{ data: InstanceSummary[] }>(given.server, 'GET', `assessment/assessment-instance?userId=${as.userId}`, {
        bearer: as.accessToken,
      })
      return body.data.find(({ instanceId }) => instanceId === id)?.isCoachClosed
    }
    const opened = async () =>
      (await ask<Instance>(given.server, 'GET', `assessment/assessment-instance/${id}`, { bearer: player.accessToken })).body.isCoachClosed
    const onItsPage = async () => (await read(player)).body.isCoachClosed
    expect([await listed(player), await opened(), await onItsPage()]).toEqual([undefined, undefined, undefined])
    await closeAccount(given.server, given.coach)
    expect([await listed(player), await opened(), await onItsPage()]).toEqual([true, true, true])
    const again = { bearer: given.server.deps.keys.operatorKey, body: { email: given.coach.email, userTypeCode: 'coach' } }
    expect((await ask(given.server, 'POST', 'user', again)).status).toBe(201)
    expect([await listed(player), await opened(), await onItsPage()]).toEqual([undefined, undefined, undefined])
  })

  test('its player is told that nobody reads it any more once the coach’s account is erased', async () => {
    await done()
    await closeAccount(given.server, given.coach)
    expect((await read(player)).body.isCoachErased).toBeUndefined()
    await given.server.deps.db
      .update(users)
      .set({ deactivatedAt: new Date(0) })
      .where(eq(users.id, given.coach.userId))
    await eraseClosedAccounts(given.server.deps)
    const bearer = { bearer: player.accessToken }
    const told = [
      (await ask<{ data: InstanceSummary[] }>(given.server, 'GET', `assessment/assessment-instance?userId=${player.userId}`, bearer)).body
        .data[0],
      (await ask<Instance>(given.server, 'GET', `assessment/assessment-instance/${id}`, bearer)).body,
      (await read(player)).body,
    ]
    for (const one of told) expect(one).toMatchObject({ isCoachClosed: true, isCoachErased: true })
  })

  test('is 404 once the player’s account is closed or erased', async () => {
    await done()
    await closeAccount(given.server, player)
    expect(await refusalOf(given.coach)).toEqual([404, 'NOT_FOUND'])
    await given.server.deps.db
      .update(users)
      .set({ deactivatedAt: new Date(0) })
      .where(eq(users.id, player.userId))
    await eraseClosedAccounts(given.server.deps)
    const erased = (await given.server.rows('instances')).find(
      (row) => row['coach_id'] === given.coach.userId && row['status'] === 'COMPLETED',
    )
    expect(erased).toBeDefined()
    expect(await refusalOf(given.coach, String(erased?.['id']))).toEqual([404, 'NOT_FOUND'])
  })
})
