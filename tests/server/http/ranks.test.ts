import { expect, test } from 'vitest'
import { everyEndpoint } from '#contract/api.ts'
import { rankOf } from '#server/http/ranks.ts'

const calls = everyEndpoint().map(([name]) => name)
const of = (rank: string | null) => calls.filter((name) => rankOf(name) === rank)

test('OPERATE-24: answers, Submit and the session are refused last, health never', () => {
  expect(of('answers').toSorted()).toEqual(
    ['auth.automaticRefresh', 'auth.refresh', 'files.bring', 'instances.complete', 'instances.saveResponses'].toSorted(),
  )
  expect(of(null)).toEqual(['health.get'])
})

test('OPERATE-24: what waits for the mail server waits for no card provider', () => {
  expect(of('codes').toSorted()).toEqual(['auth.initiate', 'auth.sendOtp', 'users.deactivateCode'])
  expect(of('payments').filter((name) => !/[cC]heckout$|webhook$/.test(name))).toEqual([])
})

test('OPERATE-24: every list, and each avatar, is refused first', () => {
  const lists = calls.filter((name) => /\.(list|allocated|bounces|sessions|toCheck)$|^reference\./.test(name))
  expect(of('lists').toSorted()).toEqual([...lists, 'pictures.avatar'].toSorted())
})
