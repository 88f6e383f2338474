import 'fake-indexeddb/auto'
import { afterEach, beforeEach, vi } from 'vitest'
import { fakeStorage } from '#tests/support/storage.ts'

/**
 * A page on a device that Sam and Alex have left, with answers of both, and the server that knows their accounts' states: loaded anew
 * before each test. The exports are those of the current page's modules.
 */

const modules = () =>
  Promise.all([
    import('#app/device/store/db.ts'),
    import('#app/device/clear.ts'),
    import('#app/device/left-accounts.ts'),
    import('#app/session/left-accounts.ts'),
    import('#app/session/pending-clearing.ts'),
    import('#app/session/session.ts'),
  ])
type Modules = Awaited<ReturnType<typeof modules>>
export let db: Modules[0]['db']
export let clearDevice: Modules[1]['clearDevice']
export let clearPending: Modules[1]['clearPending']
export let { checkLeftAccounts, discardMissing } = {} as Modules[2]
export let { unreadErasure, isErasedElsewhere, isLeftClosed, leftAccounts, noteErasureRead, noteLeftAccount } = {} as Modules[3]
export let { addPendingClearing, pendingClearings } = {} as Modules[4]
export let session: Modules[5]['session']

export const sam = '00000000-0000-4000-8000-000000000001'
export const alex = '00000000-0000-4000-8000-000000000002'
export const proofOf = (userId: string) => `${userId}.proof`

{
  // its keys are its own, as in a browser
  const storage = {} as Record<string, unknown>
  const hidden = (name: string, value: unknown) => Object.defineProperty(storage, name, { value, enumerable: false, configurable: true })
  hidden('getItem', (key: string) => storage[key] ?? null)
  hidden('setItem', (key: string, value: string) => void (storage[key] = value))
  hidden('removeItem', (key: string) => void delete storage[key])
  hidden('clear', () => {
    for (const key of Object.keys(storage)) delete storage[key]
  })
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('sessionStorage', fakeStorage())
  vi.stubGlobal('location', { origin: 'https://club.test' })
}

/** The accounts' states on the server; `reply` replaces the reply. */
export const server = {
  states: {} as Record<string, string>,
  checked: [] as string[],
  tokens: [] as string[],
  reply: undefined as ((userId: string) => Response) | undefined,
}

/** In i1 one answer is sent and one is not; results, a coach's list, marks and the small reads, too. */
async function fill(userId: string): Promise<void> {
  const summary = { userEmail: `${userId}@club.test`, status: 'IN_PROGRESS', revision: 3 }
  const row = (questionId: string, edit: string) => ({
    userId,
    instanceId: 'i1',
    questionId,
    sectionName: 'Section1',
    value: {},
    edit,
    base: 0,
  })
  await db.instances.put({ userId, instanceId: 'i1', summary, languages: ['en'], finish: null, trouble: null } as never)
  await db.definitions.put({ userId, instanceId: 'i1', language: 'en', sections: [] })
  await db.answers.bulkPut([row('q1', 'sent'), row('q2', 'unsent')])
  await db.receipts.put({ userId, instanceId: 'i1', questionId: 'q1', edit: 'sent', revision: 1 })
  await db.operations.put({ userId, instanceId: 'i1', id: 'o', edits: {}, groups: {}, body: '' })
  for (const key of ['draft/assign-many', 'results/i1/en', 'report/i1/en', 'marks/i1'])
    await db.reads.put({ userId, key, value: [], at: 0 })
  localStorage.setItem(`touchline.reads.${userId}`, 'a name')
  localStorage.setItem(`draft:player-details:${userId}`, 'a name')
}

/** Everything stored of a person. */
export async function leftOf(userId: string): Promise<string[]> {
  const rows = (await Promise.all(db.tables.map((table) => table.toArray()))).flat() as { userId?: string }[]
  const stored = Object.entries(localStorage).filter(([key]) => key.includes(userId))
  return [...rows.filter((row) => row.userId === userId), ...stored].map((one) => JSON.stringify(one))
}

export const signedIn = (userId: string | undefined) =>
  vi
    .spyOn(session, 'get')
    .mockReturnValue({ status: userId ? 'verified' : 'guest', user: userId && { id: userId, proof: proofOf(userId) } } as never)

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'], shouldAdvanceTime: true })
  Object.assign(server, { states: {}, checked: [], tokens: [], reply: undefined })
  vi.stubGlobal('fetch', async (url: string, { body, headers }: { body: string; headers: Record<string, string> }) => {
    if (!url.endsWith('/account-state')) throw new TypeError('Failed to fetch')
    const { proof } = JSON.parse(body) as { proof: string }
    server.checked.push(proof)
    if (headers['authorization'] !== undefined) server.tokens.push(headers['authorization'])
    const [userId = ''] = proof.split('.')
    return server.reply?.(userId) ?? Response.json({ state: server.states[userId] ?? 'kept', userId })
  })
  vi.spyOn(console, 'warn').mockReturnValue()
  await openPage()
  signedIn(undefined)
  await db.open()
  await fill(sam)
  await fill(alex)
})
afterEach(async () => {
  vi.clearAllTimers()
  vi.useRealTimers()
  vi.restoreAllMocks()
  localStorage.clear()
  await db.delete()
})

/** Loads the modules as a new page, as the waits after a failure belong to the page. */
export async function openPage(): Promise<void> {
  vi.resetModules()
  const [store, clearing, asking, accounts, pending, sessions] = await modules()
  ;({ db } = store)
  ;({ clearDevice, clearPending } = clearing)
  ;({ checkLeftAccounts, discardMissing } = asking)
  ;({ unreadErasure, isErasedElsewhere, isLeftClosed, leftAccounts, noteErasureRead, noteLeftAccount } = accounts)
  ;({ addPendingClearing, pendingClearings } = pending)
  ;({ session } = sessions)
}

export const left = (...users: string[]) => {
  for (const userId of users) noteLeftAccount({ userId, proof: proofOf(userId) })
}
