import { beforeEach, describe, expect, test } from 'vitest'
import type { Instance, InstanceSummary } from '#contract/instances.ts'
import { ask, coachData, signIn } from '#tests/support/person.ts'
import { givenPerson, newEmail } from '#tests/support/given-person.ts'
import { givenServer } from '#tests/support/start-server.ts'
import { CONTENT_VERSION } from './support.ts'

/** POST, PATCH and PUT assessment/assessment-instance, and the list's filters. API-16, API-18, ROLES-4 */
describe('instances for the operator and the coach', () => {
  const server = givenServer()
  const player = givenPerson(server, 'player')
  const coach = givenPerson(server, 'coach')

  type Replied = InstanceSummary & { code: string; message: string }
  const path = 'assessment/assessment-instance'
  const create = (body: object, language = 'en') =>
    ask<Replied>(server, 'POST', path, { bearer: server.deps.keys.operatorKey, body, language })
  const list = async (query: string, bearer = player.accessToken) =>
    (await ask<{ data: InstanceSummary[] }>(server, 'GET', `${path}?${query}`, { bearer })).body.data.map(({ instanceId }) => instanceId)

  describe('creating an instance as the operator', () => {
    test('gives it to the player, who can take it', async () => {
      const { status, body } = await create({ userId: player.userId, assessmentId: 'touchline-profile' })
      expect([status, body]).toEqual([
        201,
        expect.objectContaining({ userId: player.userId, userEmail: player.email, status: 'OWNED', contentVersion: CONTENT_VERSION }),
      ])
      const { instanceId } = body
      expect(await list('')).toEqual([instanceId])
      const responses = [{ sectionName: 'Section2', id: 's2-q01', answer: 'A' }]
      const saved = await ask(server, 'POST', `${path}/responses`, { bearer: player.accessToken, body: { instanceId, responses } })
      expect(saved.status).toBe(200)
    })

    test('is refused for a coach, with the message of ASSIGN-5', async () => {
      const { status, body } = await create({ userId: coach.userId, assessmentId: 'touchline-profile' })
      expect([status, body.code]).toEqual([409, 'COACH_ALLOCATION_NOT_ALLOWED'])
      expect(body.message).toBe("Cannot allocate assessment to a coach. Please provide a player's email address.")
    })

    test.each([
      ['an unknown user', () => ({ userId: crypto.randomUUID(), assessmentId: 'touchline-profile' })],
      ['a malformed user id', () => ({ userId: 'x', assessmentId: 'touchline-profile' })],
      ['an unknown assessment', () => ({ userId: player.userId, assessmentId: 'other' })],
    ])('is 404 for %s', async (_what, body) => {
      const reply = await create(body())
      expect([reply.status, reply.body.code]).toEqual([404, 'NOT_FOUND'])
      expect(await list('')).toEqual([])
    })
  })

  test('the list can be filtered by status and assessment, and is paged', async () => {
    const ids = []
    for (let i = 0; i < 3; i += 1) ids.push((await create({ userId: player.userId, assessmentId: 'touchline-profile' })).body.instanceId)
    const all = await list('assessmentId=touchline-profile&status=OWNED')
    expect(all.toSorted()).toEqual(ids.toSorted())
    expect([...(await list('page=1&limit=2')), ...(await list('page=2&limit=2'))]).toEqual(all)
    expect(await list('assessmentId=other')).toEqual([])
    const refused = await ask(server, 'GET', `${path}?limit=0`, { bearer: player.accessToken })
    expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_INPUT'])
  })

  describe.each(['PATCH', 'PUT'])('%s', (method) => {
    let id: string
    beforeEach(async () => {
      id = await server.giveInstance(player)
      await server.deps.db.execute(
        `update instances set coach_id = '${coach.userId}', status = 'ALLOCATED', allocated_at = now(), brief_opened_at = now() where id = '${id}'`,
      )
    })
    const change = (body: unknown, as = coach, instanceId = id) =>
      ask<Replied>(server, method, `${path}/${instanceId}`, { bearer: as.accessToken, body })

    test('lets the coach who allocated it set team, position and player type, together or separately', async () => {
      expect((await change({ userTeam: ' U19 ' })).body).toMatchObject({ userTeam: 'U19', userPlayerType: 'POTENTIAL' })
      const { status, body } = await change({ userPositionName: 'Center Back', userPlayerType: 'CURRENT', ownerUserId: coach.userId })
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({ userTeam: 'U19', userPositionName: 'Center Back', userPlayerType: 'CURRENT' }),
      ])
      expect((await change({ userTeam: null, ownerUserId: player.userId })).body.userTeam).toBeNull()
      expect((await change({})).body).toMatchObject({ userPositionName: 'Center Back' })
    })

    test('refuses any other field, such as the status or the player', async () => {
      const before = await server.rows('instances')
      for (const body of [{ status: 'COMPLETED' }, { userId: coach.userId }, { results: {} }, { coachId: coach.userId }]) {
        expect((await change(body)).body.code).toBe('UNKNOWN_FIELD')
      }
      expect(await server.rows('instances')).toEqual(before)
    })

    test.each([
      ['INPUT-39', { userPlayerType: 'STAR' }, 'INVALID_INPUT'],
      ['a position that is not offered', { userPositionName: 'Coach' }, 'INVALID_INPUT'],
      ['a blank team', { userTeam: ' ' }, 'INVALID_INPUT'],
      ['control characters', { userTeam: 'a\u0000' }, 'INVALID_NAME'],
    ])('%s is refused', async (_row, body, code) => {
      const reply = await change(body)
      expect([reply.status, reply.body.code]).toEqual([400, code])
    })

    test('an owner other than coach and player is refused', async () => {
      const other = await signIn(server, newEmail('other'))
      const reply = await change({ userTeam: 'U19', ownerUserId: other.userId })
      expect([reply.status, reply.body.code]).toEqual([403, 'FORBIDDEN'])
      const { body } = await ask<Instance>(server, 'GET', `${path}/${id}`, { bearer: coach.accessToken })
      expect(body.userTeam).toBeNull()
    })

    test('is 403 for its player, and 404 for everybody else', async () => {
      expect((await change({ userTeam: 'A' }, player)).status).toBe(403)
      const stranger = await signIn(server, newEmail('stranger'), 'coach', coachData)
      const other = await signIn(server, newEmail('elsewhere'))
      for (const [as, instanceId] of [
        [stranger, id],
        [other, id],
        [coach, crypto.randomUUID()],
        [coach, 'x'],
      ] as const) {
        const reply = await change({ userTeam: 'A' }, as, instanceId)
        expect([reply.status, reply.body.code]).toEqual([404, 'NOT_FOUND'])
      }
    })
  })
})
