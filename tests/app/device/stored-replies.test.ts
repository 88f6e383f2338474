import 'fake-indexeddb/auto'
import { expect, it, vi } from 'vitest'
import { readReply, removeReply, storeReply } from '#app/device/stored-replies.ts'
import { tokens } from '#contract/tokens.ts'

vi.mock('#app/device/owner.ts', () => ({ mayStore: () => true }))

const reply = { total: 2, used: 0, available: 2, tokens: [] }

it('a stored reply has the age of its reply, however late it is written, and expires after 14 days', async () => {
  const now = Date.now()
  await storeReply('u1', tokens.list, '{}', 'en', { value: reply, at: now - 7_200_000 })
  expect(await readReply('u1', tokens.list, '{}', 'en')).toEqual({ value: reply, at: now - 7_200_000 })
  // also found in the other language, but never by another user
  expect((await readReply('u1', tokens.list, '{}', 'fr'))?.at).toBe(now - 7_200_000)
  expect(await readReply('u2', tokens.list, '{}', 'en')).toBeUndefined()
  await storeReply('u1', tokens.list, '{}', 'en', { value: reply, at: now - 15 * 86_400_000 })
  expect(await readReply('u1', tokens.list, '{}', 'en')).toBeUndefined()
})

it('a stored reply that does not match the contract is not read', async () => {
  await storeReply('u1', tokens.list, '{}', 'en', { value: { ...reply, total: 'two' }, at: Date.now() })
  expect(await readReply('u1', tokens.list, '{}', 'en')).toBeUndefined()
})

it('a removed reply is found in no language, and others stay', async () => {
  for (const language of ['en', 'fr']) await storeReply('u1', tokens.list, '{}', language, { value: reply, at: Date.now() })
  await storeReply('u1', tokens.list, '{"page":2}', 'en', { value: reply, at: Date.now() })
  await removeReply('u1', tokens.list, '{}')
  expect(await readReply('u1', tokens.list, '{}', 'fr')).toBeUndefined()
  expect((await readReply('u1', tokens.list, '{"page":2}', 'en'))?.value).toEqual(reply)
})
