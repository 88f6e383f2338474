import { describe, expect, it, test, vi } from 'vitest'
import { readTarget, rememberTarget } from '#app/session/return-to.ts'
import {
  alex,
  checkLeftAccounts,
  db,
  discardMissing,
  unreadErasure,
  isErasedElsewhere,
  isLeftClosed,
  left,
  leftAccounts,
  leftOf,
  openPage,
  proofOf,
  noteErasureRead,
  addPendingClearing,
  sam,
  server,
  signedIn,
} from './left-accounts-page.ts'

/** What a device keeps and removes, by the server's state of an account that was left here. SESSION-22, docs/decisions/0059 */

test('everything of an erased account is removed, nothing of another, and the loss is reported once', async () => {
  left(sam, alex)
  server.states = { [sam]: 'erased' }
  const before = await leftOf(alex)
  await checkLeftAccounts()
  expect(await leftOf(sam)).toEqual([])
  expect(await leftOf(alex)).toEqual(before)
  expect(unreadErasure()).toMatchObject({ unsent: 1 })
  expect(leftAccounts().map(({ userId }) => userId)).toEqual([alex])
  noteErasureRead(1)
  await checkLeftAccounts()
  expect(unreadErasure()).toBeUndefined()
})

test.each([
  ['the screen that the erased account was on is forgotten', sam, '/'],
  ['that of another account stays', alex, '/assessment/i1/brief'],
  ['that of an invitation which a guest opened stays', undefined, '/assessment/i1/brief'],
])('as the place to return to, %s', async (_, owner, target) => {
  left(sam)
  server.states = { [sam]: 'erased' }
  rememberTarget('/assessment/i1/brief', owner)
  expect(readTarget()).toBe('/assessment/i1/brief')
  await checkLeftAccounts()
  expect([readTarget(), await leftOf(sam)]).toEqual([target, []])
})

test('the last tab to notice knows which account was erased, and mistakes no other for it', async () => {
  left(sam, alex)
  expect([sam, alex, undefined].map(isErasedElsewhere)).toEqual([false, false, false])
  server.states = { [sam]: 'erased' }
  await checkLeftAccounts()
  expect([sam, alex, undefined].map(isErasedElsewhere)).toEqual([true, false, false])
  noteErasureRead(1)
  addPendingClearing({ userId: 'kim', keepUnsent: true })
  expect([sam, alex, 'kim'].map(isErasedElsewhere)).toEqual([true, false, false])
})

test('several erased accounts are counted together', async () => {
  left(sam, alex)
  server.states = { [sam]: 'erased', [alex]: 'erased' }
  await checkLeftAccounts()
  expect([await leftOf(sam), await leftOf(alex), unreadErasure(), leftAccounts()]).toMatchObject([[], [], { unsent: 2 }, []])
})

describe('everything stays', () => {
  const page = () => new Response('<html>Sign in to the Wi-Fi</html>', { headers: { 'content-type': 'text/html' } })
  const refusal = (status: number, code: string) => () => Response.json({ code, message: '-', requestId: '-' }, { status })
  it.each<[string, string, (() => Response) | undefined]>([
    ['the account is there', 'kept', undefined],
    ['it is closed, and may be opened again', 'closed', undefined],
    ['the server does not have it, as after an older backup', 'missing', undefined],
    ['a captive portal replies', 'erased', page],
    ['another server replies', 'erased', () => Response.json({ state: 'gone', userId: sam })],
    ['a reply about another account comes', 'erased', () => Response.json({ state: 'erased', userId: alex })],
    ['a reply about nobody comes', 'erased', () => Response.json({ state: 'erased' })],
    ['an empty reply', 'erased', () => Response.json({})],
    ['a proxy replies', 'erased', () => Response.json({ state: 'erased', userId: sam }, { status: 502 })],
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
    await checkLeftAccounts()
    expect(server.checked).toEqual([proofOf(sam)])
    expect(await leftOf(sam)).toHaveLength(before)
    expect(unreadErasure()).toBeUndefined()
    expect(leftAccounts()).toMatchObject([{ userId: sam }])
  })
})

const kill = async () => {
  vi.clearAllTimers()
  await openPage()
  signedIn(undefined)
}

test('a browser killed before anything was removed continues without another check, and reports the right number', async () => {
  left(sam)
  server.states = { [sam]: 'erased' }
  // counted by a query before it
  vi.spyOn(db.answers, 'filter').mockImplementationOnce(() => {
    throw new Error('killed')
  })
  await checkLeftAccounts()
  expect(unreadErasure()).toBeUndefined()
  await kill()
  await checkLeftAccounts()
  expect(leftAccounts()).toEqual([])
  expect([await leftOf(sam), unreadErasure(), server.checked]).toMatchObject([[], { unsent: 1 }, [proofOf(sam)]])
})

test('a browser killed after everything was removed, which loses the last writes to local storage, reports the right number', async () => {
  left(sam)
  const onDisk = { ...localStorage } as Record<string, string>
  server.states = { [sam]: 'erased' }
  await checkLeftAccounts()
  localStorage.clear()
  for (const [key, value] of Object.entries(onDisk)) localStorage.setItem(key, value)
  await kill()
  await checkLeftAccounts()
  expect([unreadErasure(), leftAccounts()]).toMatchObject([{ unsent: 1 }, []])
  // once it was shown, later removals are counted from 0
  noteErasureRead(1)
  left(alex)
  server.states = { [alex]: 'erased' }
  await checkLeftAccounts()
  expect(unreadErasure()).toMatchObject({ unsent: 1 })
})

describe('an account that the server does not have', () => {
  it('keeps all its answers, even those that were sent, and reports how many', async () => {
    left(sam, alex)
    server.states = { [sam]: 'missing' }
    await checkLeftAccounts()
    expect(leftAccounts()).toMatchObject([
      { userId: sam, state: 'missing', answers: 2 },
      { userId: alex, state: 'kept' },
    ])
    // it is shown apart from what waits for a sign-in
    const { unsentOfOthers } = await import('#app/device/unsent-of-others.ts')
    expect(await unsentOfOthers(alex)).toEqual({ isSendable: false, isRefused: false, isClosed: false })
  })

  it('is discarded on request, and no other account', async () => {
    left(sam, alex)
    server.states = { [sam]: 'missing' }
    await checkLeftAccounts()
    const before = await leftOf(alex)
    expect(await discardMissing()).toBe(true)
    expect([await leftOf(sam), await leftOf(alex), unreadErasure()]).toMatchObject([[], before, undefined])
    expect(leftAccounts().map(({ userId }) => userId)).toEqual([alex])
  })

  it('is not discarded once the server has it again, or while that is not known', async () => {
    left(sam)
    server.states = { [sam]: 'missing' }
    await checkLeftAccounts()
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

describe('while an account is being checked', () => {
  /** Runs it when the server has the request, before its reply is read. */
  const onReply = (state: string, run: () => void) => {
    server.reply = (userId) => {
      run()
      return Response.json({ state, userId })
    }
  }

  it('nothing is removed of somebody who has signed in meanwhile, whatever the reply', async () => {
    left(sam)
    const before = await leftOf(sam)
    onReply('erased', () => signedIn(sam))
    await checkLeftAccounts()
    expect(unreadErasure()).toBeUndefined()
    signedIn(undefined)
    expect(await leftOf(sam)).toEqual(before)
  })

  it('nothing is discarded of somebody who has signed in meanwhile', async () => {
    left(sam)
    server.states = { [sam]: 'missing' }
    await checkLeftAccounts()
    const before = (await leftOf(sam)).length
    onReply('missing', () => signedIn(sam))
    expect(await discardMissing()).toBe(false)
    expect((await leftOf(sam)).length).toBe(before)
  })

  it('what another tab has removed and reported meanwhile is not reported again', async () => {
    left(sam)
    server.states = { [sam]: 'erased' }
    const transaction = db.transaction.bind(db)
    vi.spyOn(db, 'transaction').mockImplementationOnce(((...given: Parameters<typeof transaction>) => {
      localStorage.removeItem('leftAccounts')
      return transaction(...given)
    }) as never)
    await checkLeftAccounts()
    expect(unreadErasure()).toBeUndefined()
  })
})

test('a closed account is reported only to its owner, not to the next person whose session ends', async () => {
  left(sam)
  server.states = { [sam]: 'closed' }
  await checkLeftAccounts()
  await db.answers.clear()
  await db.operations.clear()
  await db.reads.clear()
  await db.instances.where('userId').equals(alex).delete()
  left(alex)
  await checkLeftAccounts()
  expect([isLeftClosed(sam), isLeftClosed(alex), isLeftClosed(undefined)]).toEqual([true, false, false])
})

test('the loss of a second account is not dropped when the report of the first has been read', async () => {
  left(sam)
  server.states = { [sam]: 'erased', [alex]: 'erased' }
  await checkLeftAccounts()
  const read = unreadErasure()
  left(alex)
  await checkLeftAccounts()
  if (read) noteErasureRead(read.unsent)
  expect(unreadErasure()).toMatchObject({ unsent: 2 })
})
