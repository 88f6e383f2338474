import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { LEFT_ACCOUNT_EVERY_MS } from '#app/constants.ts'

/** What a device does once the server says what became of an account that was left here (docs/decisions/0059). SESSION-22 */

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
let db: Modules[0]['db']
let clearDevice: Modules[1]['clearDevice']
let clearPending: Modules[1]['clearPending']
let { askAfterLeftAccounts, discardMissing } = {} as Modules[2]
let { erasedHere, isLeftClosed, leftAccounts, noteLeftAccount, removeErased } = {} as Modules[3]
let { notePendingClearing, pendingClearings } = {} as Modules[4]
let session: Modules[5]['session']

const sam = '00000000-0000-4000-8000-000000000001'
const alex = '00000000-0000-4000-8000-000000000002'
const proofOf = (userId: string) => `${userId}.proof`

vi.hoisted(() => {
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
  vi.stubGlobal('location', { origin: 'https://club.test' })
})

/** The accounts' states on the server; `reply` replaces the reply. */
const server = { states: {} as Record<string, string>, asked: [] as string[], reply: undefined as (() => Response) | undefined }

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
async function leftOf(userId: string): Promise<string[]> {
  const rows = (await Promise.all(db.tables.map((table) => table.toArray()))).flat() as { userId?: string }[]
  const stored = Object.entries(localStorage).filter(([key]) => key.includes(userId))
  return [...rows.filter((row) => row.userId === userId), ...stored].map((one) => JSON.stringify(one))
}

const signedIn = (userId: string | undefined) =>
  vi
    .spyOn(session, 'get')
    .mockReturnValue({ status: userId ? 'verified' : 'guest', user: userId && { id: userId, proof: proofOf(userId) } } as never)

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'], shouldAdvanceTime: true })
  Object.assign(server, { states: {}, asked: [], reply: undefined })
  vi.stubGlobal('fetch', async (url: string, { body }: { body: string }) => {
    if (!url.endsWith('/account-state')) throw new TypeError('Failed to fetch')
    const { proof } = JSON.parse(body) as { proof: string }
    server.asked.push(proof)
    return server.reply?.() ?? Response.json({ state: server.states[proof.split('.')[0] ?? ''] ?? 'kept' })
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

/** A page of its own: what waits after a failure is the page's. */
async function openPage(): Promise<void> {
  vi.resetModules()
  const [store, clearing, asking, accounts, pending, sessions] = await modules()
  ;({ db } = store)
  ;({ clearDevice, clearPending } = clearing)
  ;({ askAfterLeftAccounts, discardMissing } = asking)
  ;({ erasedHere, isLeftClosed, leftAccounts, noteLeftAccount, removeErased } = accounts)
  ;({ notePendingClearing, pendingClearings } = pending)
  ;({ session } = sessions)
}

const left = (...users: string[]) => {
  for (const userId of users) noteLeftAccount({ userId, proof: proofOf(userId) })
}

test('of an erased account nothing stays, of another everything does, and what was lost is said once', async () => {
  left(sam, alex)
  server.states = { [sam]: 'erased' }
  const before = await leftOf(alex)
  await askAfterLeftAccounts()
  expect(await leftOf(sam)).toEqual([])
  expect(await leftOf(alex)).toEqual(before)
  expect(erasedHere()).toEqual({ unsent: 1 })
  expect(leftAccounts().map(({ userId }) => userId)).toEqual([alex])
  removeErased({ unsent: 1 })
  await askAfterLeftAccounts()
  expect(erasedHere()).toBeUndefined()
})

test('several erased accounts are counted together', async () => {
  left(sam, alex)
  server.states = { [sam]: 'erased', [alex]: 'erased' }
  await askAfterLeftAccounts()
  expect([await leftOf(sam), await leftOf(alex), erasedHere(), leftAccounts()]).toEqual([[], [], { unsent: 2 }, []])
})

describe('everything stays', () => {
  const page = () => new Response('<html>Sign in to the Wi-Fi</html>', { headers: { 'content-type': 'text/html' } })
  const refusal = (status: number, code: string) => () => Response.json({ code, message: '-', requestId: '-' }, { status })
  it.each<[string, string, (() => Response) | undefined]>([
    ['the account is there', 'kept', undefined],
    ['it is closed, and may be opened again', 'closed', undefined],
    ['the server does not have it, as after an older backup', 'missing', undefined],
    ['a captive portal replies', 'erased', page],
    ['another server replies', 'erased', () => Response.json({ state: 'gone' })],
    ['an empty reply', 'erased', () => Response.json({})],
    ['a proxy replies', 'erased', () => Response.json({ state: 'erased' }, { status: 502 })],
    ['an older server does not have the call', 'erased', refusal(404, 'NOT_FOUND')],
    ['the server refuses', 'erased', refusal(429, 'TOO_MANY_REQUESTS')],
    ['the server fails', 'erased', refusal(500, 'INTERNAL')],
    [
      'nobody replies',
      'erased',
      () => {
        throw new TypeError('Failed to fetch')
      },
    ],
  ])('if %s', async (_, state, reply) => {
    left(sam)
    Object.assign(server, { states: { [sam]: state }, reply })
    const before = (await leftOf(sam)).length
    await askAfterLeftAccounts()
    expect(server.asked).toEqual([proofOf(sam)])
    expect(await leftOf(sam)).toHaveLength(before)
    expect(erasedHere()).toBeUndefined()
    expect(leftAccounts()).toMatchObject([{ userId: sam }])
  })
})

test('it is asked for once and then daily, however often the app is opened', async () => {
  left(sam)
  for (let start = 0; start < 5; start += 1) await askAfterLeftAccounts()
  expect(server.asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(LEFT_ACCOUNT_EVERY_MS - 1000)
  expect(server.asked).toHaveLength(1)
  // also by a page that is left open
  server.states = { [sam]: 'erased' }
  await vi.advanceTimersByTimeAsync(2000)
  await vi.waitFor(async () => expect(await leftOf(sam)).toEqual([]))
  expect(server.asked).toHaveLength(2)
})

test('a full storage, which cannot note that it was asked for, makes no loop', async () => {
  left(sam)
  const setItem = localStorage.setItem
  Object.defineProperty(localStorage, 'setItem', {
    configurable: true,
    value: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  })
  await askAfterLeftAccounts()
  await vi.advanceTimersByTimeAsync(3_600_000)
  // waits for the one that is under way
  await askAfterLeftAccounts()
  Object.defineProperty(localStorage, 'setItem', { configurable: true, value: setItem })
  expect(server.asked.length).toBeGreaterThan(1)
  expect(server.asked.length).toBeLessThan(8)
})

test('a clock that was set back does not put it off', async () => {
  noteLeftAccount({ userId: sam, proof: proofOf(sam), askedAt: Date.now() + 10 * LEFT_ACCOUNT_EVERY_MS })
  await askAfterLeftAccounts()
  expect(server.asked).toHaveLength(1)
})

test('two tabs ask once', async () => {
  left(sam)
  server.states = { [sam]: 'erased' }
  await Promise.all([askAfterLeftAccounts(), askAfterLeftAccounts(), askAfterLeftAccounts()])
  expect(server.asked).toHaveLength(1)
  expect(erasedHere()).toEqual({ unsent: 1 })
})

test('a browser killed while it was removed goes on without asking, and says the right number', async () => {
  left(sam)
  server.states = { [sam]: 'erased' }
  vi.spyOn(db, 'transaction').mockRejectedValueOnce(new Error('killed'))
  await askAfterLeftAccounts()
  expect(erasedHere()).toBeUndefined()
  // the answers were gone, the rest was not
  await db.answers.clear()
  vi.clearAllTimers()
  await openPage()
  signedIn(undefined)
  await askAfterLeftAccounts()
  expect(leftAccounts()).toEqual([])
  expect([await leftOf(sam), erasedHere(), server.asked]).toEqual([[], { unsent: 1 }, [proofOf(sam)]])
})

describe('an account that the server does not have', () => {
  it('keeps all its answers, also those that were sent, and says how many', async () => {
    left(sam, alex)
    server.states = { [sam]: 'missing' }
    await askAfterLeftAccounts()
    expect(leftAccounts()).toMatchObject([
      { userId: sam, state: 'missing', answers: 2 },
      { userId: alex, state: 'kept' },
    ])
    // whoever looks is told of it apart from what waits for a sign-in
    const { unsentOfAnybody } = await import('#app/device/status.ts')
    expect(await unsentOfAnybody(alex)).toEqual({ isSendable: false, isRefused: false, isClosed: false })
  })

  it('is discarded when somebody asks, and nobody else’s', async () => {
    left(sam, alex)
    server.states = { [sam]: 'missing' }
    await askAfterLeftAccounts()
    const before = await leftOf(alex)
    expect(await discardMissing()).toBe(true)
    expect([await leftOf(sam), await leftOf(alex), erasedHere()]).toEqual([[], before, undefined])
    expect(leftAccounts().map(({ userId }) => userId)).toEqual([alex])
  })

  it('is not discarded once the server has it again, or while that is not known', async () => {
    left(sam)
    server.states = { [sam]: 'missing' }
    await askAfterLeftAccounts()
    const before = await leftOf(sam)
    server.reply = () => Response.json({ code: 'INTERNAL', message: '-', requestId: '-' }, { status: 500 })
    await expect(discardMissing()).rejects.toThrow()
    server.reply = undefined
    server.states = { [sam]: 'kept' }
    expect(await discardMissing()).toBe(false)
    expect((await leftOf(sam)).length).toBe(before.length)
    expect(leftAccounts()).toMatchObject([{ userId: sam, state: 'kept' }])
  })
})

describe('what happens while it is asked for', () => {
  /** Runs it when the server has the question, before its reply is read. */
  const onReply = (state: string, run: () => void) => {
    server.reply = () => {
      run()
      return Response.json({ state })
    }
  }

  it('of somebody who has signed in meanwhile nothing is removed, whatever is replied', async () => {
    left(sam)
    const before = await leftOf(sam)
    onReply('erased', () => signedIn(sam))
    await askAfterLeftAccounts()
    expect(erasedHere()).toBeUndefined()
    signedIn(undefined)
    expect(await leftOf(sam)).toEqual(before)
  })

  it('nothing is discarded of somebody who has signed in meanwhile', async () => {
    left(sam)
    server.states = { [sam]: 'missing' }
    await askAfterLeftAccounts()
    const before = (await leftOf(sam)).length
    onReply('missing', () => signedIn(sam))
    expect(await discardMissing()).toBe(false)
    expect((await leftOf(sam)).length).toBe(before)
  })

  it('what another tab has removed and said meanwhile is not said again', async () => {
    left(sam)
    server.states = { [sam]: 'erased' }
    const transaction = db.transaction.bind(db)
    vi.spyOn(db, 'transaction').mockImplementationOnce(((...given: Parameters<typeof transaction>) => {
      localStorage.removeItem('leftAccounts')
      return transaction(...given)
    }) as never)
    await askAfterLeftAccounts()
    expect(erasedHere()).toBeUndefined()
  })
})

test('whose account is closed is said to its owner alone, not to the next whose session ends', async () => {
  left(sam)
  server.states = { [sam]: 'closed' }
  await askAfterLeftAccounts()
  await db.answers.clear()
  await db.operations.clear()
  await db.reads.clear()
  await db.instances.where('userId').equals(alex).delete()
  left(alex)
  await askAfterLeftAccounts()
  expect([isLeftClosed(sam), isLeftClosed(alex), isLeftClosed(undefined)]).toEqual([true, false, false])
})

test('what was lost of a second account, while the first is read, is not removed with what was said of the first', async () => {
  left(sam)
  server.states = { [sam]: 'erased', [alex]: 'erased' }
  await askAfterLeftAccounts()
  const read = erasedHere()
  left(alex)
  await askAfterLeftAccounts()
  if (read) removeErased(read)
  expect(erasedHere()).toEqual({ unsent: 2 })
})

test('a clearing that is noted again without the proof keeps it', () => {
  notePendingClearing({ userId: sam, keepUnsent: true, keepOpen: true, proof: proofOf(sam) })
  notePendingClearing({ userId: sam, keepUnsent: true, proof: undefined })
  expect(pendingClearings()).toEqual([{ userId: sam, keepUnsent: true, proof: proofOf(sam) }])
})

test('one that is refused does not keep the others from being asked for', async () => {
  left(sam, alex)
  const refusals = [Response.json({ code: 'TOO_MANY_REQUESTS', message: '-', requestId: '-' }, { status: 429 })]
  server.reply = () => refusals.pop() ?? Response.json({ state: 'erased' })
  await askAfterLeftAccounts()
  expect(server.asked).toEqual([proofOf(sam), proofOf(alex)])
  expect([await leftOf(alex), leftAccounts().map(({ userId }) => userId)]).toEqual([[], [sam]])
})

test('nothing is asked with the proof of another account', async () => {
  noteLeftAccount({ userId: alex, proof: proofOf(sam) })
  server.states = { [sam]: 'erased' }
  await askAfterLeftAccounts()
  expect([server.asked, erasedHere()]).toEqual([[], undefined])
})

describe('it makes no loop', () => {
  it('where a full storage cannot note that an erased one was removed', async () => {
    noteLeftAccount({ userId: sam, proof: proofOf(sam), state: 'erased', unsent: 1 })
    left(alex)
    const setItem = localStorage.setItem
    Object.defineProperty(localStorage, 'setItem', {
      configurable: true,
      value: () => {
        throw new DOMException('full', 'QuotaExceededError')
      },
    })
    const removals = vi.spyOn(db, 'transaction')
    await askAfterLeftAccounts()
    await vi.advanceTimersByTimeAsync(60_000)
    await askAfterLeftAccounts()
    Object.defineProperty(localStorage, 'setItem', { configurable: true, value: setItem })
    expect(await leftOf(sam)).toEqual([])
    expect(removals).toHaveBeenCalledTimes(1)
  })

  it('where the server asks for a wait that is longer than a timer can be', async () => {
    left(sam)
    const headers = { 'retry-after': String(60 * 86_400) }
    server.reply = () => Response.json({ code: 'TOO_MANY_REQUESTS', message: '-', requestId: '-' }, { status: 429, headers })
    await askAfterLeftAccounts()
    const looks = vi.spyOn(performance, 'now')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(looks.mock.calls.length).toBeLessThan(20)
    expect(server.asked).toHaveLength(1)
  })
})

test.each([undefined, Date.now()])(
  'of somebody who has signed in again nothing is asked or noted, asked before or not (%s)',
  async (askedAt) => {
    noteLeftAccount({ userId: sam, proof: proofOf(sam), state: 'missing', answers: 2, ...(askedAt && { askedAt }) })
    signedIn(sam)
    await askAfterLeftAccounts()
    expect([server.asked, leftAccounts()]).toEqual([[], []])
  },
)

describe('an account is left', () => {
  it('where a sign-out keeps something, and is asked for from the next day on', async () => {
    signedIn(sam)
    await clearDevice(sam, { keepUnsent: true })
    expect(leftAccounts()).toMatchObject([{ userId: sam, proof: proofOf(sam) }])
    signedIn(undefined)
    await askAfterLeftAccounts()
    expect(server.asked).toEqual([])
  })

  it('also where another is asked about before the sign-out is over', async () => {
    signedIn(sam)
    await clearDevice(sam, { keepUnsent: true })
    left(alex)
    await askAfterLeftAccounts()
    expect(leftAccounts().map(({ userId }) => userId)).toEqual([sam, alex])
  })

  it('where nothing stays, nothing of the account is noted', async () => {
    signedIn(sam)
    await clearDevice(sam, { keepUnsent: false })
    expect(leftAccounts()).toEqual([])
  })

  it('when the server ended its session; and where nothing of it is stored it is asked for once', async () => {
    await db.answers.clear()
    await db.operations.clear()
    await db.reads.clear()
    notePendingClearing({ userId: sam, keepUnsent: true, proof: proofOf(sam) })
    await clearPending()
    await askAfterLeftAccounts()
    expect([server.asked, leftAccounts(), pendingClearings()]).toEqual([[proofOf(sam)], [], []])
  })

  it('erased with nothing unsent: that is said, too', async () => {
    server.states = { [sam]: 'erased' }
    await db.answers.clear()
    notePendingClearing({ userId: sam, keepUnsent: true, proof: proofOf(sam) })
    await clearPending()
    await askAfterLeftAccounts()
    expect([erasedHere(), await leftOf(sam)]).toEqual([{ unsent: 0 }, []])
  })

  it.each(['closed', 'missing'])('noted once where two changes of the session begin to clear at the same time (%s)', async (state) => {
    server.states = { [sam]: state }
    notePendingClearing({ userId: sam, keepUnsent: true, proof: proofOf(sam) })
    let goOn = () => {}
    const held = new Promise<undefined>((resolve) => (goOn = () => resolve(undefined)))
    vi.spyOn(db, 'transaction').mockReturnValueOnce(held as never)
    const slow = clearPending()
    await vi.waitFor(() => expect(db.transaction).toHaveBeenCalled())
    await clearPending()
    await askAfterLeftAccounts()
    goOn()
    await slow
    await askAfterLeftAccounts()
    expect([server.asked, leftAccounts()]).toMatchObject([[proofOf(sam)], [{ userId: sam, state }]])
  })
})
