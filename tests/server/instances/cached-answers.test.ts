import { expect, test } from 'vitest'
import { cacheAnswers } from '#server/instances/cached-answers.ts'
import type { AnswersChange, AnswersPort, AnswersSnapshot } from '#server/instances/save-answers.ts'

/** The cache has the state after each save, in one map, and what the store itself gave stays as it was read. */

const instanceId = 'instance'
const userId = 'player'

function portOf(stored: AnswersSnapshot): AnswersPort {
  return { read: async () => stored, readLogged: async () => [], write: async () => '2026-01-01T00:00:00.000Z' }
}

function changeOf(expectedRevision: number, questionId: string, operation: string): AnswersChange {
  const group = { questionId, value: { [questionId]: 'A' }, revision: 1, device: null, order: null }
  return {
    ...{ instanceId, userId, expectedRevision, lastSave: null, device: null, closes: null },
    changed: [],
    added: [group],
    operation: { id: operation, contentHash: '' },
    save: { revision: expectedRevision + 1, completionStatus: 'IN_PROGRESS', groups: [], superseded: [] },
  }
}

test('after each save the next one finds its state without the store, and a snapshot of the store stays as it was', async () => {
  const stored: AnswersSnapshot = { contentVersion: 'v1', status: 'OWNED', revision: 0, groups: new Map(), operation: null }
  const cache = cacheAnswers(portOf(stored), () => new Date(0))
  const read = () => cache.read(instanceId, userId, null, 'cached')

  expect(await read()).toBe(stored)
  await cache.write(changeOf(0, 'q1', 'first'))
  await cache.write(changeOf(1, 'q2', 'second'))

  const cached = await read()
  expect(cached).toMatchObject({ revision: 2, status: 'IN_PROGRESS', cachedFrom: { operation: 'second' } })
  expect([...(cached?.groups.keys() ?? [])]).toEqual(['q1', 'q2'])
  expect(stored.groups.size).toBe(0)
})

test('a write that failed leaves nothing in the cache', async () => {
  const stored: AnswersSnapshot = { contentVersion: 'v1', status: 'OWNED', revision: 0, groups: new Map(), operation: null }
  const writes = ['2026-01-01T00:00:00.000Z', undefined]
  const cache = cacheAnswers({ ...portOf(stored), write: async () => writes.shift() }, () => new Date(0))
  await cache.read(instanceId, userId, null, 'cached')
  await cache.write(changeOf(0, 'q1', 'first'))
  await cache.write(changeOf(1, 'q2', 'second'))
  expect(await cache.read(instanceId, userId, null, 'cached')).toBe(stored)
})
