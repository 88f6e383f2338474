import 'fake-indexeddb/auto'
import { expect, it, onTestFinished, vi } from 'vitest'
import { noteServerDate } from '#app/api/server-clock.ts'
import { readReply, removeReply, removeUnlisted, storeInOtherLanguages, storeReply } from '#app/device/stored-replies.ts'
import { storedKeys } from '#app/device/store/device-store.ts'
import { tokens } from '#contract/tokens.ts'

vi.mock('#app/device/owner.ts', () => ({ mayStoreReads: () => true }))
const called = vi.hoisted(() => vi.fn())
vi.mock('#app/api/call.ts', () => ({ call: called }))

const reply = { total: 2, used: 0, available: 2, tokens: [] }

it('a stored reply has the age of its reply, however late it is written, and expires after 14 days', async () => {
  const now = Date.now()
  await storeReply('u1', tokens.list, '{}', 'en', { value: reply, at: now - 7_200_000 })
  expect(await readReply('u1', tokens.list, '{}', 'en')).toEqual({ value: reply, at: now - 7_200_000, language: 'en' })
  // also found in the other language, but never by another user
  expect(await readReply('u1', tokens.list, '{}', 'fr')).toMatchObject({ at: now - 7_200_000, language: 'en' })
  expect(await readReply('u2', tokens.list, '{}', 'en')).toBeUndefined()
  await storeReply('u1', tokens.list, '{}', 'en', { value: reply, at: now - 15 * 86_400_000 })
  expect(await readReply('u1', tokens.list, '{}', 'en')).toBeUndefined()
})

it('a stored reply keeps its age on a device whose clock was decades behind and is set right', async () => {
  const now = Date.now()
  onTestFinished(() => {
    vi.useRealTimers()
    noteServerDate(new Date().toUTCString())
  })
  vi.useFakeTimers({ now: 0, toFake: ['Date'] })
  noteServerDate(new Date(now).toUTCString())
  await storeReply('u6', tokens.list, '{}', 'en', { value: reply, at: Date.now() })
  vi.setSystemTime(now + 60_000)
  noteServerDate(new Date(now + 60_000).toUTCString())
  const stored = await readReply('u6', tokens.list, '{}', 'en')
  expect(stored?.value).toEqual(reply)
  expect(Math.abs((stored?.at ?? 0) - now)).toBeLessThan(1000)
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

it('a newer reply in one language removes older ones in others, which may be out of date', async () => {
  await storeReply('u3', tokens.list, '{}', 'fr', { value: { ...reply, used: 1 }, at: Date.now() - 1000 })
  await storeReply('u3', tokens.list, '{}', 'en', { value: reply, at: Date.now() })
  expect(await readReply('u3', tokens.list, '{}', 'fr')).toMatchObject({ value: reply, language: 'en' })
})

it('a reply is stored in the other languages with the same date', async () => {
  const at = Date.now()
  await storeReply('u4', tokens.list, '{}', 'en', { value: reply, at })
  called.mockResolvedValueOnce({ ...reply, total: 3 })
  await storeInOtherLanguages('u4', tokens.list, '{}', 'en', at)
  expect(called.mock.calls).toEqual([[tokens.list, {}, { language: 'fr', userId: 'u4' }]])
  expect(await readReply('u4', tokens.list, '{}', 'fr')).toEqual({ value: { ...reply, total: 3 }, at, language: 'fr' })
  expect(await readReply('u4', tokens.list, '{}', 'en')).toEqual({ value: reply, at, language: 'en' })
})

it('replies that a later list does not name are removed in every language; others, newer ones and other reads stay', async () => {
  const now = Date.now()
  const pages = [1, 2, 3].map((page) => JSON.stringify({ query: { page, limit: 5 } }))
  const [listed = '', unlisted = '', newer = ''] = pages
  for (const language of ['en', 'fr'])
    for (const asked of pages)
      await storeReply('u5', tokens.list, asked, language, { value: reply, at: asked === newer ? now : now - 1000 })
  await storeReply('u5', tokens.pricing, unlisted, 'en', { value: reply, at: now - 1000 })
  await removeUnlisted('u5', tokens.list, now - 500, (request) => JSON.stringify(request) === listed)
  for (const language of ['en', 'fr']) {
    const found = await Promise.all(pages.map((asked) => readReply('u5', tokens.list, asked, language)))
    expect(found.map((one) => one?.language)).toEqual([language, undefined, language])
  }
  expect(await storedKeys('u5')).toContain(`GET ${tokens.pricing.path} ${unlisted} en`)
})
