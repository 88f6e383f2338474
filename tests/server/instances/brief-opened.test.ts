import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Instance, InstanceSummary } from '#contract/instances.ts'
import { ask, signIn, type Person } from '#tests/support/person.ts'
import { engines, startServer, type TestServer } from '#tests/support/start-server.ts'
import { avatarOf } from '../pictures/support.ts'
import { allocate, allocatedTo, coachWith, openBrief, reclaim, save } from './support.ts'

/** POST assessment/assessment-instance/{instanceId}/brief-opened: when a coach begins to see whose an instance is. Ruling 40 */
describe.each(engines)('the brief opened (%s)', (database) => {
  let server: TestServer
  let coach: Person
  let player: Person
  let id: string
  let count = 0

  beforeAll(async () => {
    server = await startServer({ database })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    count += 1
    coach = await coachWith(server, `coach${count}@club.test`, 5)
    player = await signIn(server, `player${count}@club.test`)
    const body = { firstName: 'Noa', lastName: 'Tremblay' }
    await ask(server, 'PATCH', `user/${player.userId}`, { bearer: player.accessToken, body })
    id = (await allocate(server, coach, player.email)).body.instanceId
  })

  const path = 'assessment/assessment-instance'
  const row = async () => (await allocatedTo(server, coach)).find(({ instanceId }) => instanceId === id)
  const openedAt = async () => (await server.rows('instances')).find((one) => one['id'] === id)?.['brief_opened_at']
  const profile = async () => (await ask(server, 'GET', `user/${player.userId}`, { bearer: coach.accessToken })).status

  test('from then on the coach sees who it is; a second time changes nothing', async () => {
    expect(await row()).toMatchObject({ userEmail: player.email, userId: null, userName: null, userLastname: null })
    expect(await profile()).toBe(404)
    const answer = await openBrief(server, player, id)
    expect([answer.status, answer.text]).toEqual([204, ''])
    const first = await openedAt()
    expect(first).not.toBeNull()
    expect(await row()).toMatchObject({ userEmail: player.email, userId: player.userId, userName: 'Noa', userLastname: 'Tremblay' })
    expect(await profile()).toBe(200)
    await openBrief(server, player, id)
    expect(await openedAt()).toEqual(first)
  })

  test('the first answers say it as well, where it was never told', async () => {
    await save(server, player, id, [{ sectionName: 'Section2', id: 's2-q01', answer: 'A' }])
    expect(await openedAt()).toBeNull()
    expect(await row()).toMatchObject({ userId: player.userId, userName: 'Noa', answeredCount: 1 })
    expect(await profile()).toBe(200)
  })

  test('only its player says it', async () => {
    const other = await signIn(server, `other${count}@club.test`)
    expect((await openBrief(server, other, id)).status).toBe(404)
    expect((await openBrief(server, coach, id)).status).toBe(403)
    expect((await openBrief(server, player, 'nonsense')).status).toBe(404)
    expect(await openedAt()).toBeNull()
  })

  test('taken back, the coach sees nobody any more, also where it was taken back unread and is opened then', async () => {
    await openBrief(server, player, id)
    await reclaim(server, coach, id)
    await openBrief(server, player, id)
    const { body } = await ask<Instance>(server, 'GET', `${path}/${id}`, { bearer: coach.accessToken })
    expect(body).toMatchObject({ status: 'RECLAIMED', userEmail: player.email, userId: null, userName: null })
    expect(await profile()).toBe(404)
    expect((await avatarOf(server, coach, player.userId)).status).toBe(404)
  })

  test('one assessment opened does not open another one of the same coach’s', async () => {
    await openBrief(server, player, id)
    const offer = { assessmentId: `other-${count}`, name: 'Other', tagline: 'Other', description: 'Other', estimatedTimeMinutes: 5 }
    const body = { ...offer, prices: [{ id: `price_${count}`, unitAmount: 1, currency: 'USD' }], sampleReportFilename: 'other.pdf' }
    expect((await ask(server, 'POST', 'assessment', { bearer: server.deps.keys.operatorKey, body })).status).toBe(201)
    const second = (await allocate(server, coach, player.email, { assessmentId: offer.assessmentId })).body
    expect(second).toMatchObject({ userId: null, userName: null })
    const { assessmentInstances } = (
      await ask<{ assessmentInstances: InstanceSummary[] }>(server, 'GET', `user/${player.userId}`, { bearer: coach.accessToken })
    ).body
    expect(assessmentInstances.map(({ instanceId }) => instanceId)).toEqual([id])
  })

  test('nobody learns whether an address has an account: every reply is the same', async () => {
    const nobody = `nobody${count}@club.test`
    const without = (await allocate(server, coach, nobody)).body.instanceId
    /** Everything the coach is told of one of the two, without what differs between any two rows. */
    async function toldOf(instanceId: string, email: string): Promise<string[]> {
      const bearer = coach.accessToken
      const get = (asked: string) => ask<Record<string, Record<string, unknown>[]>>(server, 'GET', asked, { bearer })
      const of = (rows: Record<string, unknown>[] | undefined) => rows?.find((one) => one['instanceId'] === instanceId)
      // sent to both by now
      await server.deps.mails.wake()
      const told = [
        of((await get('assessment/coach/allocated')).body['assessments']),
        of((await get(path)).body['data']),
        of((await get('tokens')).body['tokens']),
        (await get(`${path}/${instanceId}`)).body,
        (await ask(server, 'PATCH', `${path}/${instanceId}`, { bearer, body: { userTeam: 'U19' } })).body,
        (await ask(server, 'PUT', `${path}/${instanceId}`, { bearer, body: { ownerUserId: coach.userId } })).body,
        (await allocate(server, coach, email)).body,
        (await ask(server, 'POST', `${path}/resend`, { bearer, body: { playerEmail: email, assessmentId: 'touchline-profile' } })).status,
        (await reclaim(server, coach, instanceId)).body,
        (await get(`${path}/${instanceId}`)).body,
        (await allocate(server, coach, email)).body,
      ]
      const differs = /"(instanceId|index|requestId|allocatedAt|dateSent)":("[^"]*"|\d+)/g
      return told.map((one) => (JSON.stringify(one) ?? 'nothing').replaceAll(email, 'EMAIL').replaceAll(differs, '"$1":0'))
    }
    expect(await toldOf(id, player.email)).toEqual(await toldOf(without, nobody))
  })
})
