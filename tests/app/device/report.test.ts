import 'fake-indexeddb/auto'
import { expect, it, vi } from 'vitest'
import { fetchReport, storedReport } from '#app/device/report.ts'
import { clearRows } from '#app/device/store/device-store.ts'

const content = new TextEncoder().encode('%PDF-1.7 …')
const owner = vi.hoisted(() => ({ may: true }))
vi.mock('#app/device/owner.ts', () => ({ mayStore: () => owner.may }))
vi.mock('#app/api/call.ts', () => ({ call: async () => content }))

it('a report is stored for its player and language, and removed with what else is theirs', async () => {
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
