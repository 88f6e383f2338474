import { describe, expect, test } from 'vitest'
import type { Account } from '#contract/users.operator.ts'
import type { ProfileWithAssessments } from '#contract/users.ts'
import { ask, coachData, movableClock, signIn, type Person } from '#tests/support/person.ts'
import { givenPerson, newEmail } from '#tests/support/given-person.ts'
import { givenServer } from '#tests/support/start-server.ts'

/** Calls on accounts by the dashboard, a coach and the operator. API-29 to API-31, ROLES-4 */
describe('accounts', () => {
  const clock = movableClock()
  const server = givenServer({ clock })
  const player = givenPerson(server, 'player')
  const coach = givenPerson(server, 'coach')

  const give = (instanceId: string, by = coach, status = 'ALLOCATED') =>
    server.deps.db.execute(
      `update instances set coach_id = '${by.userId}', allocated_at = now()${status === '' ? '' : `, status = '${status}'`}${status === 'RECLAIMED' ? ', reclaimed_at = now()' : ''} where id = '${instanceId}'`,
    )
  const read = (id: string, as: Person, suffix = '', language = 'en') =>
    ask<ProfileWithAssessments & { code: string }>(server, 'GET', `user/${id}${suffix}`, { bearer: as.accessToken, language })

  describe('a profile', () => {
    test.each(['', '/profile-with-assessments'])(
      'user/{id}%s returns the user’s own instances, oldest first, as in the list of instances',
      async (suffix) => {
        const done = await server.giveInstance(player, 1)
        clock.forward(60)
        const open = await server.giveInstance(player)
        const { status, body } = await read(player.userId, player, suffix, 'fr')
        expect(status).toBe(200)
        expect(body).toMatchObject({ userId: player.userId, email: player.email })
        expect(body.assessmentInstances.map(({ instanceId }) => instanceId)).toEqual([done, open])
        expect(body.assessmentInstances[0]?.results).toHaveProperty('section3.facets.0')
        const list = await ask<{ data: unknown }>(server, 'GET', 'assessment/assessment-instance', {
          bearer: player.accessToken,
          language: 'fr',
        })
        expect(body.assessmentInstances).toEqual(list.body.data)
      },
    )

    test('a coach sees the name of a player they allocated to, and only the instances they allocated', async () => {
      await ask(server, 'PATCH', `user/${player.userId}`, {
        bearer: player.accessToken,
        body: {
          firstName: 'Noa',
          lastName: 'Tremblay',
          gender: 'female',
          birthDate: '2008-02-01',
          countryId: 'Canada',
          cityId: 'Montréal',
        },
      })
      await server.giveInstance(player)
      expect((await read(player.userId, coach)).status).toBe(404)
      const given = await server.giveInstance(player, 1)
      await give(given, coach, '')
      const { status, body } = await read(player.userId, coach)
      expect(status).toBe(200)
      expect(body).toMatchObject({ firstName: 'Noa', lastName: 'Tremblay', email: player.email })
      expect(body).toMatchObject({ gender: null, birthDate: null, countryId: null, cityId: null, teams: [] })
      expect(body.assessmentInstances.map(({ instanceId }) => instanceId)).toEqual([given])
      expect(body.assessmentInstances[0]?.results).toEqual({
        Section1: { value: expect.any(String), result: expect.any(String), styles: expect.any(Array) },
        section2: { value: expect.any(String), label: expect.stringMatching(/^[EI][SN][TF][JP]$/), axes: expect.any(Array) },
      })
    })

    test('no other coach sees it, nor this one once the instance is reclaimed', async () => {
      const given = await server.giveInstance(player)
      await give(given)
      const stranger = await signIn(server, newEmail('stranger'), 'coach', coachData)
      expect((await read(player.userId, stranger)).status).toBe(404)
      await give(given, coach, 'RECLAIMED')
      expect((await read(player.userId, coach)).status).toBe(404)
    })
  })

  describe('user/email-search', () => {
    const search = (email: string, as = coach) =>
      ask<{ email: string; code: string; message: string }>(server, 'GET', `user/email-search?email=${encodeURIComponent(email)}`, {
        bearer: as.accessToken,
      })

    test('says whether an address has an account, ignoring case, and nothing else', async () => {
      const { status, body } = await search(player.email.toUpperCase())
      expect([status, body]).toEqual([200, { email: player.email }])
    })

    test('an unknown address is refused with the message of ERRORS-5; part of an address finds nobody', async () => {
      for (const email of ['nobody@club.test', player.email.slice(1), `${player.email}x`]) {
        const { status, body } = await search(email)
        expect([status, body.code]).toEqual([404, 'USER_NOT_FOUND'])
        expect(body.message).toBe("We couldn't find a user with that email address. Please check the email address and try again.")
      }
      expect((await search('a@')).body.code).toBe('INVALID_EMAIL')
      expect((await search('%@club.test')).status).toBe(404)
    })

    test('allows each coach 30 searches an hour', async () => {
      for (let i = 0; i < 30; i += 1) expect((await search(player.email)).status).toBe(200)
      const busy = await search(player.email)
      expect([busy.status, busy.body.code]).toEqual([429, 'TOO_MANY_REQUESTS'])
      const seconds = Number(busy.headers.get('retry-after'))
      expect(seconds).toBeGreaterThan(0)
      const other = await signIn(server, newEmail('other'), 'coach', coachData)
      expect((await search(player.email, other)).status).toBe(200)
      clock.forward(seconds)
      const later = await signIn(server, coach.email, 'coach')
      expect((await search(player.email, later)).status).toBe(200)
    })
  })

  describe('the operator', () => {
    const operate = <Body>(method: string, path: string, body?: unknown) =>
      ask<Body>(server, method, path, { bearer: server.deps.keys.operatorKey, body })
    const create = (body: object) => operate<Account & { code: string }>('POST', 'user', body)

    test('lists accounts in pages, by e-mail and by type', async () => {
      const list = (query: string) => operate<{ data: Account[]; total: number }>('GET', `user?${query}`)
      const all = await list('limit=100')
      expect(all.body.total).toBe((await server.rows('users')).length)
      const [second] = (await list('page=2&limit=1')).body.data
      expect(second).toEqual(all.body.data[1])
      const found = await list(`email=${player.email.toUpperCase()}`)
      expect(found.body).toEqual({ total: 1, data: [expect.objectContaining({ userId: player.userId, deactivatedAt: null })] })
      expect((await list(`email=${player.email}&userTypeCode=coach`)).body).toEqual({ total: 0, data: [] })
      expect((await list('userTypeCode=admin')).body).toMatchObject({ code: 'INVALID_USER_TYPE' })
    })

    test('creates an account, whose owner signs in by code', async () => {
      const email = newEmail('made')
      const { status, body } = await create({ email, userTypeCode: 'coach', firstName: 'Robin' })
      expect([status, body]).toEqual([201, expect.objectContaining({ email, userTypeCode: 'coach', firstName: 'Robin', lastName: null })])
      expect(server.mails(email)).toEqual([])
      expect((await signIn(server, email)).userId).toBe(body.userId)
    })

    test('cannot create a second account for an e-mail, ignoring case, of either type', async () => {
      for (const userTypeCode of ['player', 'coach']) {
        const { status, body } = await create({ email: player.email.toUpperCase(), userTypeCode })
        expect([status, body.code]).toEqual([409, 'USER_EXISTS'])
      }
      const email = newEmail('race')
      const replies = await Promise.all(Array.from({ length: 8 }, () => create({ email, userTypeCode: 'player' })))
      expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 409)])
    })

    test.each([
      [{ email: 'a@', userTypeCode: 'player' }, 'INVALID_EMAIL'],
      [{ email: 'a@b.test', userTypeCode: 'operator' }, 'INVALID_USER_TYPE'],
      [{ email: 'a@b.test', userTypeCode: 'player', firstName: 'a\u0000' }, 'INVALID_NAME'],
      [{ email: 'a@b.test', userTypeCode: 'player', userId: 'x' }, 'UNKNOWN_FIELD'],
    ])('%j is refused', async (body, code) => {
      expect((await create(body)).body.code).toBe(code)
    })
  })
})
