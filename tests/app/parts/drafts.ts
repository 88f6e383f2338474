import { afterEach, beforeEach, vi } from 'vitest'
import { OwnDraft, type DraftPlace } from '#app/parts/details/draft.ts'
import { fakeStorage } from '#tests/support/storage.ts'

/** Drafts of a form in a tab. */

export const place = { form: 'player-details', owner: 'u1' }
export const start = { firstName: 'Ada', birth: { month: '', year: '' }, teams: [] as { clubName: string }[] }

export const openDraft = <Values extends object>(values: Values, at: DraftPlace = place) => new OwnDraft(at, { values })
export const readDraft = <Values extends object>(at: DraftPlace, values: Values) => openDraft(values, at).restored

/** Of tabs that are open; as little of them as drafts use. */
function fakeLocks() {
  const held = new Set<{ name: string }>()
  const request = async (name: string, { ifAvailable }: LockOptions, run: (lock: object | null) => Promise<void>) => {
    if (ifAvailable && [...held].some((one) => one.name === name)) return run(null)
    const lock = { name }
    held.add(lock)
    await run(lock)
    held.delete(lock)
  }
  return { request, query: async () => ({ held: [...held] }), closeTabs: () => held.clear() }
}

export const closeTabs = () => (navigator.locks as unknown as ReturnType<typeof fakeLocks>).closeTabs()

/** Gives each test its own storages and locks. */
export function givenStorages(): void {
  beforeEach(() => {
    vi.stubGlobal('sessionStorage', fakeStorage())
    vi.stubGlobal('localStorage', fakeStorage())
    vi.stubGlobal('navigator', { locks: fakeLocks() })
  })

  afterEach(() => {
    vi.unstubAllGlobals()
  })
}
