import { eq } from 'drizzle-orm'
import { describe, expect, onTestFinished, test } from 'vitest'
import { users as calls, type Profile } from '#contract/users.ts'
import { users } from '#server/db/schema/users.ts'
import { ask, coachData, signIn } from '#tests/support/person.ts'
import { givenPerson, newEmail } from '#tests/support/given-person.ts'
import { givenServer, startServer } from '#tests/support/start-server.ts'
import { team } from './support.ts'

const complete = {
  firstName: 'Léa',
  lastName: 'Marchand',
  cityId: 'Lyon',
  countryId: 'France',
  gender: 'female',
  birthDate: '2008-02-01',
  preferredPosition: { id: 'defence-left', name: 'defence-left' },
  sport: { id: 'soccer', name: 'Soccer' },
  teams: [team],
}

describe('a user’s own profile', () => {
  const server = givenServer()
  const player = givenPerson(server, 'player')

  const change = (body: unknown, person = player, language = 'en', query = '') =>
    ask<Profile & { code: string; message: string; fields: Record<string, string> }>(server, 'PATCH', `user/${person.userId}${query}`, {
      bearer: person.accessToken,
      body,
      language,
    })

  test('INPUT-23: a team that was stored before a rule became stricter is still shown, and the form says what is wrong', async () => {
    const { db } = server.deps
    const old = { ...team, teamName: 'a\u2028b', clubName: '\u200b' }
    await db
      .update(users)
      .set({ teams: [old] })
      .where(eq(users.id, player.userId))
    const { status, body } = await ask<Profile>(server, 'GET', `user/${player.userId}`, { bearer: player.accessToken })
    expect([status, body.teams]).toEqual([200, [old]])
    expect(calls.get.reply.safeParse(body).success).toBe(true)
    expect((await change({ email: player.email, teams: body.teams })).status).toBe(400)
    await db.update(users).set({ teams: [] }).where(eq(users.id, player.userId))
  })

  test('a new player has only an e-mail', async () => {
    const { body } = await ask<Profile>(server, 'GET', `user/${player.userId}`, { bearer: player.accessToken })
    expect(body).toEqual({
      userId: player.userId,
      userTypeCode: 'player',
      email: player.email,
      firstName: null,
      lastName: null,
      cityId: null,
      countryId: null,
      gender: null,
      birthDate: null,
      preferredPosition: null,
      sport: null,
      hasProfilePicture: false,
      teams: [],
      version: expect.any(String),
      assessmentInstances: [],
    })
  })

  test('a change stores the given fields and leaves the rest', async () => {
    expect((await change({ ...complete, email: player.email.toUpperCase() })).body).toMatchObject({ ...complete, email: player.email })
    expect((await change({ lastName: 'Lindqvist' })).body).toMatchObject({ ...complete, lastName: 'Lindqvist' })
    expect((await change({})).body).toMatchObject({ ...complete, lastName: 'Lindqvist' })
  })

  test('of all that a form sends only what was edited is changed', async () => {
    await change(complete)
    const sent = { ...complete, firstName: 'Old', lastName: 'Berg', teams: [] }
    const edited = (names: string) => change(sent, player, 'en', `?edited=${names}`)
    expect((await edited('')).body).toMatchObject(complete)
    expect((await edited('lastName,teams')).body).toMatchObject({ ...complete, lastName: 'Berg', teams: [] })
    expect((await edited('userTypeCode')).body.code).toBe('INVALID_INPUT')
  })

  test('a save over a profile that another save has changed since it was read changes nothing', async () => {
    const { version = '' } = (await change(complete)).body
    const over = (body: object, edited: string, known = version) => change(body, player, 'en', `?edited=${edited}&version=${known}`)
    const first = await over({ teams: [] }, 'teams')
    expect(first.body).toMatchObject({ ...complete, teams: [] })
    for (const edited of ['teams', 'birthDate', 'firstName,teams', 'firstName', '']) {
      const reply = await over({ ...complete, firstName: 'Old', birthDate: '2007-03-01' }, edited)
      expect([reply.status, reply.body.code]).toEqual([409, 'PROFILE_CHANGED'])
    }
    expect((await over(complete, 'teams', first.body.version)).body.teams).toEqual(complete.teams)
    // also if it has been put back to what it was
    expect((await over({ birthDate: '2007-03-01' }, 'birthDate')).status).toBe(409)
  })

  test('of two saves at once that replace the same teams one is refused', async () => {
    const { version = '' } = (await change({ ...complete, teams: [] })).body
    const query = `?edited=teams&version=${version}`
    const both = await Promise.all(['A', 'B'].map((teamName) => change({ teams: [{ ...team, teamName }] }, player, 'en', query)))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  test('a new country clears the city (PROFILE-22)', async () => {
    await change(complete)
    expect((await change({ countryId: 'Canada' })).body).toMatchObject({ countryId: 'Canada', cityId: null })
    expect((await change({ cityId: 'Montréal' })).body).toMatchObject({ countryId: 'Canada', cityId: 'Montréal' })
  })

  test('an invalid field is refused with a message in the requested language', async () => {
    expect((await change({ firstName: ' ' }, player, 'fr')).body.fields['firstName']).toMatch(/prénom/i)
  })

  test.each([
    ['own e-mail', { email: 'other@club.test' }, 'INVALID_EMAIL'],
    ['gender', { gender: 'x' }, 'INVALID_INPUT'],
    ['team', { teams: [{ ...team, clubName: '' }] }, 'INVALID_INPUT'],
    ['team', { teams: Array.from({ length: 21 }, () => team) }, 'INVALID_INPUT'],
  ])('%s: %j is refused', async (_row, body, code) => {
    const before = await server.rows('users')
    const reply = await change(body)
    expect([reply.status, reply.body.code]).toEqual([400, code])
    expect(await server.rows('users')).toEqual(before)
  })

  describe('MINIMUM_AGE', () => {
    const thisMonth = (years: number) => {
      const now = new Date(Date.now() + 14 * 3_600_000)
      return `${now.getUTCFullYear() - years}-${String(now.getUTCMonth() + 1).padStart(2, '0')}-01`
    }

    test('is 13 by default; a younger player is refused in both languages, and nothing is stored', async () => {
      await change(complete)
      const young = await change({ ...complete, firstName: 'Noa', birthDate: thisMonth(12) })
      expect([young.status, young.body.code]).toEqual([400, 'INVALID_BIRTH_DATE'])
      expect(young.body.fields).toEqual({ birthDate: 'You must be at least 13 years old to use Touchline.' })
      expect(young.body.message).toBe('You must be at least 13 years old to use Touchline.')
      const french = await change({ birthDate: thisMonth(2) }, player, 'fr')
      expect(french.body.fields).toEqual({ birthDate: 'Tu dois avoir au moins 13 ans pour utiliser Touchline.' })
      expect((await change({})).body).toMatchObject(complete)
      expect((await change({ birthDate: thisMonth(13) })).body.birthDate).toBe(thisMonth(13))
      expect((await ask<{ minimumAge: number }>(server, 'GET', 'settings')).body.minimumAge).toBe(13)
    })

    test('can be set', async () => {
      const strict = await startServer({ env: { MINIMUM_AGE: '16' } })
      onTestFinished(() => strict.close())
      const one = await signIn(strict, 'sixteen@club.test')
      const save = (birthDate: string) => ask(strict, 'PATCH', `user/${one.userId}`, { bearer: one.accessToken, body: { birthDate } })
      expect((await save(thisMonth(15))).body.fields).toEqual({ birthDate: 'You must be at least 16 years old to use Touchline.' })
      expect((await save(thisMonth(16))).status).toBe(200)
      expect((await ask<{ minimumAge: number }>(strict, 'GET', 'settings')).body.minimumAge).toBe(16)
    })
  })

  test('INPUT-24: markup is text', async () => {
    const firstName = '<img src=x onerror=alert(1)>'
    expect((await change({ firstName })).body.firstName).toBe(firstName)
  })

  test('INPUT-29: another user’s id in the path is 404, like an unknown one', async () => {
    const other = await signIn(server, newEmail('other'))
    const foreign = { ...player, userId: other.userId }
    const absent = { ...player, userId: crypto.randomUUID() }
    for (const person of [foreign, absent, { ...player, userId: 'x' }]) {
      const reply = await change({ firstName: 'Mallory' }, person)
      expect([reply.status, reply.body.code]).toEqual([404, 'NOT_FOUND'])
      expect((await ask(server, 'GET', `user/${person.userId}`, { bearer: player.accessToken })).status).toBe(404)
    }
  })

  test('a coach has no player fields (PROFILE-15)', async () => {
    const coach = await signIn(server, newEmail('coach'), 'coach', coachData)
    expect((await change({ firstName: 'Robin', email: coach.email, teams: [team] }, coach)).body).toMatchObject({
      firstName: 'Robin',
      teams: [team],
    })
    for (const field of ['gender', 'birthDate', 'preferredPosition', 'sport'] as const) {
      expect((await change({ [field]: complete[field] }, coach)).body.code).toBe('UNKNOWN_FIELD')
    }
  })
})
