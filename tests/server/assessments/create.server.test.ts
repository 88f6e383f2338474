import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { Assessment } from '#contract/assessments.ts'
import type { InstanceSummary } from '#contract/instances.ts'
import { ask } from '#tests/support/person.ts'
import { checkout, complete, openShop, stored, type Shop } from '../payments/support.ts'

const club = {
  assessmentId: 'club-profile',
  name: 'Club Profile<sup>2</sup>',
  tagline: 'For a whole club',
  description: 'The same questions, at the price of a club.',
  estimatedTimeMinutes: 25,
  prices: [
    { id: 'price_club', unitAmount: 2900, currency: 'EUR' },
    { id: 'price_club_launch', unitAmount: 1900, currency: 'EUR', nickname: 'Launch offer' },
  ],
  sampleReportFilename: 'club.pdf',
}

describe('POST assessment', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop()
  })
  afterAll(() => shop.close())

  const create = (body: unknown) =>
    ask<Assessment & { code: string }>(shop.running, 'POST', 'assessment', { bearer: shop.running.deps.keys.operatorKey, body })

  test('an assessment created by the operator is listed and can be bought', async () => {
    const { status, body } = await create(club)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      ...club,
      currencyCode: 'EUR',
      price: { unitAmount: 1900, currency: 'EUR' },
      originalPrice: { unitAmount: 2900, currency: 'EUR' },
    })
    const player = await shop.signIn()
    const list = await player<{ data: Assessment[]; total: number }>(api.assessments.list)
    expect(list.body.data.map(({ assessmentId }) => assessmentId)).toEqual(['club-profile', 'touchline-profile'])
    expect((await player(api.assessments.get, { id: 'club-profile' })).body).toEqual(body)

    const { sessionId } = await checkout(player, 'price_club_launch')
    shop.pay(sessionId)
    expect((await complete(player, sessionId)).body.status).toBe('complete')
    expect((await stored(shop, sessionId)).order).toMatchObject({ unitAmount: 1900, currency: 'EUR', assessmentId: 'club-profile' })
    const mine = await player<{ data: InstanceSummary[] }>(api.instances.list)
    expect(mine.body.data).toMatchObject([{ name: club.name, estimatedTimeMinutes: 25, SampleReportFilename: 'club.pdf', itemCount: 112 }])
  })

  test('an assessment as a reply has it can be sent back as another; its prices alone decide what it costs', async () => {
    const { body } = await create({
      ...club,
      assessmentId: 'first-copy',
      prices: [{ id: 'price_first', unitAmount: 900, currency: 'EUR' }],
    })
    const prices = [{ id: 'price_second', unitAmount: 1200, currency: 'GBP' }]
    const copy = await create({ ...body, assessmentId: 'second-copy', prices })
    expect(copy.status).toBe(201)
    const price = { unitAmount: 1200, currency: 'GBP' }
    expect(copy.body).toMatchObject({ price, originalPrice: price, currencyCode: 'GBP' })
  })

  test.each([
    ['the same id', { ...club, prices: [{ ...club.prices[0], id: 'price_other' }] }],
    [
      'the price of another assessment',
      { ...club, assessmentId: 'second', prices: [{ id: 'price_touchline_profile', unitAmount: 1, currency: 'USD' }] },
    ],
    ['one price twice', { ...club, assessmentId: 'third', prices: [1, 2].map(() => ({ id: 'price_x', unitAmount: 1, currency: 'USD' })) }],
  ])('%s is 409', async (_what, body) => {
    await create(club)
    const before = await shop.running.rows('assessments')
    const reply = await create(body)
    expect([reply.status, reply.body.code]).toEqual([409, 'ASSESSMENT_EXISTS'])
    expect(await shop.running.rows('assessments')).toEqual(before)
  })

  test.each([
    [{ ...club, prices: [] }],
    [{ ...club, prices: [{ id: 'a b', unitAmount: 1, currency: 'USD' }] }],
    [{ ...club, prices: [{ id: 'a', unitAmount: 1.5, currency: 'USD' }] }],
    [{ ...club, assessmentId: '../x' }],
    [{ ...club, name: '' }],
    [{ ...club, estimatedTimeMinutes: 0 }],
    [{ ...club, sampleReportFilename: '../../etc/passwd' }],
    [{ ...club, contentVersion: 'other' }],
  ])('%j is refused', async (body) => {
    expect((await create(body)).status).toBe(400)
  })
})
