import 'fake-indexeddb/auto'
import { beforeEach, expect, it, vi } from 'vitest'
import { fetchReport, storedReport } from '#app/device/report.ts'
import { clearRows, writeStored } from '#app/device/store/device-store.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const content = bytes('%PDF-1.7\n…\n%%EOF\n')
const owner = vi.hoisted(() => ({ may: true }))
vi.mock('#app/device/owner.ts', () => ({ mayStoreReads: () => owner.may }))
const server = vi.hoisted(() => ({ reply: (): unknown => undefined }))
vi.mock('#app/api/call.ts', () => ({ call: async () => server.reply() }))

beforeEach(() => {
  server.reply = () => content
})

it('a report is stored for its player and language, and removed with their other data', async () => {
  expect(await fetchReport('u1', 'i1', 'fr')).toMatchObject({ content, isStored: true })
  expect(await storedReport('u1', 'i1', 'fr')).toMatchObject({ content, isStored: true })
  for (const [user, instance, language] of [
    ['u2', 'i1', 'fr'],
    ['u1', 'i2', 'fr'],
    ['u1', 'i1', 'en'],
  ] as const)
    expect(await storedReport(user, instance, language)).toBeNull()
  await clearRows({ userId: 'u1', keepUnsent: true })
  expect(await storedReport('u1', 'i1', 'fr')).toBeNull()
})

it('nothing is stored for somebody who is signing out', async () => {
  owner.may = false
  expect(await fetchReport('u3', 'i1', 'en')).toMatchObject({ content, isStored: false })
  expect(await storedReport('u3', 'i1', 'en')).toBeNull()
})

it('a download that fails leaves the stored report', async () => {
  owner.may = true
  await fetchReport('u4', 'i1', 'en')
  server.reply = () => {
    throw new Error('cut')
  }
  await expect(fetchReport('u4', 'i1', 'en')).rejects.toThrow('cut')
  expect(await storedReport('u4', 'i1', 'en')).toMatchObject({ content })
})

it('an incomplete report that an earlier version stored is not offered', async () => {
  await writeStored('u5', 'report/i1/en', bytes('%PDF-1.7\n1 0 obj'))
  expect(await storedReport('u5', 'i1', 'en')).toBeNull()
})
