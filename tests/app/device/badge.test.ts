import { beforeEach, expect, it, vi } from 'vitest'
import { waitFor } from '#tests/support/wait-for.ts'

/** The number on the app's icon. INSTALL-8 */

const page = vi.hoisted(() => ({
  user: { id: 'u1' } as { id: string } | undefined,
  count: (): Promise<{ answers: number; submits: number }> => Promise.resolve({ answers: 0, submits: 0 }),
  changed: [] as (() => void)[],
}))
const listen = (listener: () => void) => void page.changed.push(listener)

vi.mock('#app/session/session.ts', () => ({ session: { get: () => ({ user: page.user }), subscribe: listen } }))
vi.mock('#app/device/sending/sync-events.ts', () => ({ onSynced: listen }))
vi.mock('#app/device/waiting.ts', () => ({ waitingAnswersOf: () => page.count() }))

const setAppBadge = vi.fn<(count: number) => Promise<void>>(async () => undefined)
const tellAll = () => page.changed.forEach((listener) => listener())

beforeEach(() => {
  page.changed = []
  page.user = { id: 'u1' }
  setAppBadge.mockReset()
  vi.stubGlobal('navigator', { setAppBadge })
  vi.stubGlobal('document', { addEventListener: (_: string, listener: () => void) => listen(listener) })
})

async function startBadge(): Promise<void> {
  const { startBadge } = await import('#app/device/badge.ts')
  startBadge()
}

it('is what the server does not have: groups and Submits', async () => {
  page.count = async () => ({ answers: 3, submits: 1 })
  await startBadge()
  await waitFor(() => expect(setAppBadge).toHaveBeenLastCalledWith(4))
  page.count = async () => ({ answers: 0, submits: 0 })
  tellAll()
  await waitFor(() => expect(setAppBadge).toHaveBeenLastCalledWith(0))
})

it('is removed at sign-out, even while the device is still counting', async () => {
  const counted = Promise.withResolvers<{ answers: number; submits: number }>()
  page.count = () => counted.promise
  await startBadge()
  page.user = undefined
  tellAll()
  await waitFor(() => expect(setAppBadge).toHaveBeenCalledWith(0))
  counted.resolve({ answers: 5, submits: 0 })
  await Promise.resolve()
  await Promise.resolve()
  expect(setAppBadge).toHaveBeenLastCalledWith(0)
  expect(setAppBadge).not.toHaveBeenCalledWith(5)
})

it('stays as it is while the device cannot be read', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  page.count = () => Promise.reject(new Error('no disk'))
  await startBadge()
  await waitFor(() => expect(console.warn).toHaveBeenCalled())
  expect(setAppBadge).not.toHaveBeenCalled()
})

it('is left out if the browser has none', async () => {
  vi.stubGlobal('navigator', {})
  await startBadge()
  expect(page.changed).toEqual([])
})
