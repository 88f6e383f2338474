import 'fake-indexeddb/auto'
import { expect, it, vi } from 'vitest'
import { storeReply, readReply } from '#app/device/stored-replies.ts'
import { tokens } from '#contract/tokens.ts'

vi.mock('#app/device/owner.ts', () => ({ mayStore: () => true }))

const reply = { total: 2, used: 0, available: 2, tokens: [] }

it('a stored read is as old as its reply, however late it is written, and expires after 14 days', async () => {
  const now = Date.now()
  await storeReply('u1', tokens.list, '{}', 'en', { value: reply, at: now - 7_200_000 })
  expect(await readReply('u1', tokens.list, '{}', 'en')).toEqual({ value: reply, at: now - 7_200_000 })
  // in the other language rather than not at all; nobody else's
  expect((await readReply('u1', tokens.list, '{}', 'fr'))?.at).toBe(now - 7_200_000)
  expect(await readReply('u2', tokens.list, '{}', 'en')).toBeUndefined()
  await storeReply('u1', tokens.list, '{}', 'en', { value: reply, at: now - 15 * 86_400_000 })
  expect(await readReply('u1', tokens.list, '{}', 'en')).toBeUndefined()
})

it('what another contract wrote is not read', async () => {
  await storeReply('u1', tokens.list, '{}', 'en', { value: { ...reply, total: 'two' }, at: Date.now() })
  expect(await readReply('u1', tokens.list, '{}', 'en')).toBeUndefined()
})
