import { beforeEach, describe, expect, test } from 'vitest'
import type { Instance, InstanceSummary } from '#contract/instances.ts'
import { ask, signIn, type Person } from '#tests/support/person.ts'
import { avatarOf } from '../pictures/support.ts'
import { givenCoach, rowOf } from './given.ts'
import { allocate, allocatedTo, openBrief, reclaim, save } from './support.ts'

/** POST assessment/assessment-instance/{instanceId}/brief-opened: from then on the coach sees who the player is. BRIEF-6 */
describe('opening the brief', () => {
  const given = givenCoach(5)
  let player: Person
  let id: string

  beforeEach(async () => {
    player = await signIn(given.server, given.address('player'))
    const body = { firstName: 'Noa', lastName: 'Tremblay' }
    await ask(given.server, 'PATCH', `user/${player.userId}`, { bearer: player.accessToken, body })
    id = (await allocate(given.server, given.coach, player.email)).body.instanceId
  })

  const path = 'assessment/assessment-instance'
  const row = async () => (await allocatedTo(given.server, given.coach)).find(({ instanceId }) => instanceId === id)
  const openedAt = async () => (await rowOf(given.server, id))?.['brief_opened_at']
  const profile = async () => (await ask(given.server, 'GET', `user/${player.userId}`, { bearer: given.coach.accessToken })).status

  test('shows the player to the coach; a second time changes nothing', async () => {
    expect(await row()).toMatchObject({ userEmail: player.email, userId: null, userName: null, userLastname: null })
    expect(await profile()).toBe(404)
    const reply = await openBrief(given.server, player, id)
    expect([reply.status, reply.text]).toEqual([204, ''])
    const first = await openedAt()
    expect(first).not.toBeNull()
    expect(await row()).toMatchObject({ userEmail: player.email, userId: player.userId, userName: 'Noa', userLastname: 'Tremblay' })
    expect(await profile()).toBe(200)
    await openBrief(given.server, player, id)
    expect(await openedAt()).toEqual(first)
  })

  test('is not needed once the player has saved an answer', async () => {
    await save(given.server, player, id, [{ sectionName: 'Section2', id: 's2-q01', answer: 'A' }])
    expect(await openedAt()).toBeNull()
    expect(await row()).toMatchObject({ userId: player.userId, userName: 'Noa', answeredCount: 1 })
    expect(await profile()).toBe(200)
  })

  test('is allowed for its player only', async () => {
    const other = await signIn(given.server, given.address('other'))
    expect((await openBrief(given.server, other, id)).status).toBe(404)
    expect((await openBrief(given.server, given.coach, id)).status).toBe(403)
    expect((await openBrief(given.server, player, 'nonsense')).status).toBe(404)
    expect(await openedAt()).toBeNull()
  })

  test('after a reclaim shows the coach nothing, even if it is opened afterwards', async () => {
    await openBrief(given.server, player, id)
    await reclaim(given.server, given.coach, id)
    await openBrief(given.server, player, id)
    const { body } = await ask<Instance>(given.server, 'GET', `${path}/${id}`, { bearer: given.coach.accessToken })
    expect(body).toMatchObject({ status: 'RECLAIMED', userEmail: player.email, userId: null, userName: null })
    expect(await profile()).toBe(404)
    expect((await avatarOf(given.server, given.coach, player.userId)).status).toBe(404)
  })

  test('of one assessment does not count for another of the same coach', async () => {
    await openBrief(given.server, player, id)
    const offer = { assessmentId: 'other', name: 'Other', tagline: 'Other', description: 'Other', estimatedTimeMinutes: 5 }
    const body = { ...offer, prices: [{ id: 'price_other', unitAmount: 1, currency: 'USD' }], sampleReportFilename: 'other.pdf' }
    expect((await ask(given.server, 'POST', 'assessment', { bearer: given.server.deps.keys.operatorKey, body })).status).toBe(201)
    const second = (await allocate(given.server, given.coach, player.email, { assessmentId: offer.assessmentId })).body
    expect(second).toMatchObject({ userId: null, userName: null })
    const { assessmentInstances } = (
      await ask<{ assessmentInstances: InstanceSummary[] }>(given.server, 'GET', `user/${player.userId}`, {
        bearer: given.coach.accessToken,
      })
    ).body
    expect(assessmentInstances.map(({ instanceId }) => instanceId)).toEqual([id])
  })

  test('before it, no reply shows whether an address has an account', async () => {
    const nobody = given.address('nobody')
    const without = (await allocate(given.server, given.coach, nobody)).body.instanceId
    /** Every reply to the coach about an instance, without the values that differ between any two instances. */
    async function toldOf(instanceId: string, email: string): Promise<string[]> {
      const bearer = given.coach.accessToken
      const get = (asked: string) => ask<Record<string, Record<string, unknown>[]>>(given.server, 'GET', asked, { bearer })
      const of = (rows: Record<string, unknown>[] | undefined) => rows?.find((one) => one['instanceId'] === instanceId)
      // so that both invitations have been sent
      await given.server.deps.jobs.settled('mails')
      const told = [
        of((await get('assessment/coach/allocated')).body['assessments']),
        of((await get(path)).body['data']),
        of((await get('tokens')).body['tokens']),
        (await get(`${path}/${instanceId}`)).body,
        (await ask(given.server, 'PATCH', `${path}/${instanceId}`, { bearer, body: { userTeam: 'U19' } })).body,
        (await ask(given.server, 'PUT', `${path}/${instanceId}`, { bearer, body: { ownerUserId: given.coach.userId } })).body,
        (await allocate(given.server, given.coach, email)).body,
        (await ask(given.server, 'POST', `${path}/resend`, { bearer, body: { playerEmail: email, assessmentId: 'touchline-profile' } }))
          .status,
        (await reclaim(given.server, given.coach, instanceId)).body,
        (await get(`${path}/${instanceId}`)).body,
        (await allocate(given.server, given.coach, email)).body,
      ]
      const differs = /"(instanceId|index|requestId|allocatedAt|dateSent)":("[^"]*"|\d+)/g
      return told.map((one) => (JSON.stringify(one) ?? 'nothing').replaceAll(email, 'EMAIL').replaceAll(differs, '"$1":0'))
    }
    expect(await toldOf(id, player.email)).toEqual(await toldOf(without, nobody))
  })
})
