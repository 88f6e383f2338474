import { afterEach, beforeEach, vi } from 'vitest'
import { openDraft as openDraftAt, type OwnDraft } from '#app/parts/details/draft.ts'
import type { DraftPlace } from '#app/parts/details/stored-draft.ts'
import { fakeStorage } from '#tests/support/storage.ts'

/** Drafts of a form in a tab. */

export const place = { form: 'player-details', owner: 'u1' }
export const start = { firstName: 'Ada', birth: { month: '', year: '' }, teams: [] as { clubName: string }[] }

export const openDraft = <Values extends object>(values: Values, at: DraftPlace = place): Promise<OwnDraft<Values>> =>
  openDraftAt(at, { values })
export const readDraft = async <Values extends object>(at: DraftPlace, values: Values) => (await openDraft(values, at)).restored

/** Another page has opened or stored this draft; until the returned function is called. */
export async function ownedElsewhere(key: string): Promise<() => Promise<void>> {
  const [held, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const owning = navigator.locks.request(`touchline owner of ${key}`, () => {
    held.resolve()
    return closed.promise
  })
  await held.promise
  return async () => {
    closed.resolve()
    await owning
  }
}

/** Gives each test its own storages. */
export function givenStorages(): void {
  beforeEach(() => {
    vi.stubGlobal('sessionStorage', fakeStorage())
    vi.stubGlobal('localStorage', fakeStorage())
    // no page is left here
    vi.stubGlobal('addEventListener', () => {})
  })

  afterEach(() => {
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })
}
