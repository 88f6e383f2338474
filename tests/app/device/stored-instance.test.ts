import 'fake-indexeddb/auto'
import { expect, it } from 'vitest'
import { db } from '#app/device/store/db.ts'
import { instanceStored } from '#app/device/store/store-events.ts'

const instance = (instanceId: string) => ({ userId: 'u1', instanceId, summary: {}, languages: [] }) as never

it('a stored instance is told of once it is committed, and not where the disk takes it back', async () => {
  let told = 0
  instanceStored.subscribe(() => {
    told += 1
  })
  const refused = db.transaction('rw', db.instances, async () => {
    await db.instances.put(instance('i1'))
    throw new Error('the disk is full')
  })
  await expect(refused).rejects.toThrow('the disk is full')
  expect(told).toBe(0)
  await db.instances.put(instance('i2'))
  expect(told).toBe(1)
})
