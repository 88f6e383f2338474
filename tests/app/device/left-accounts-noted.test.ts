import { waitFor } from '#tests/support/wait-for.ts'
import { describe, expect, it, test, vi } from 'vitest'
import {
  alex,
  checkLeftAccounts,
  clearDevice,
  clearPending,
  db,
  unreadErasure,
  left,
  leftAccounts,
  leftOf,
  addPendingClearing,
  pendingClearings,
  proofOf,
  sam,
  server,
  signedIn,
} from './left-accounts-page.ts'

/** When an account is noted as left. SESSION-22 */

test('a pending clearing that is noted again without the proof keeps its proof', () => {
  addPendingClearing({ userId: sam, keepUnsent: true, keepOpen: true, proof: proofOf(sam) })
  addPendingClearing({ userId: sam, keepUnsent: true, proof: undefined })
  expect(pendingClearings()).toEqual([{ userId: sam, keepUnsent: true, proof: proofOf(sam) }])
})

describe('a left account is noted', () => {
  it('if a sign-out keeps something, and is checked from the next day on', async () => {
    signedIn(sam)
    await clearDevice({ userId: sam, keepUnsent: true })
    expect(leftAccounts()).toMatchObject([{ userId: sam, proof: proofOf(sam) }])
    signedIn(undefined)
    await checkLeftAccounts()
    expect(server.checked).toEqual([])
  })

  it('even if another is checked before the sign-out is over', async () => {
    signedIn(sam)
    await clearDevice({ userId: sam, keepUnsent: true })
    left(alex)
    await checkLeftAccounts()
    expect(leftAccounts().map(({ userId }) => userId)).toEqual([sam, alex])
  })

  it('not if the sign-out keeps nothing', async () => {
    signedIn(sam)
    await clearDevice({ userId: sam, keepUnsent: false })
    expect(leftAccounts()).toEqual([])
  })

  it('when the server ended its session, and checked only once if none of its data is stored', async () => {
    await db.answers.clear()
    await db.operations.clear()
    await db.reads.clear()
    addPendingClearing({ userId: sam, keepUnsent: true, proof: proofOf(sam) })
    await clearPending()
    await checkLeftAccounts()
    expect([server.checked, leftAccounts(), pendingClearings()]).toEqual([[proofOf(sam)], [], []])
  })

  it('and reported as erased even if nothing was unsent', async () => {
    server.states = { [sam]: 'erased' }
    await db.answers.clear()
    addPendingClearing({ userId: sam, keepUnsent: true, proof: proofOf(sam) })
    await clearPending()
    await checkLeftAccounts()
    expect([unreadErasure(), await leftOf(sam)]).toMatchObject([{ unsent: 0 }, []])
  })

  it.each(['closed', 'missing'])('once if two changes of the session start clearing at the same time (%s)', async (state) => {
    server.states = { [sam]: state }
    addPendingClearing({ userId: sam, keepUnsent: true, proof: proofOf(sam) })
    let goOn = () => {}
    const blocked = new Promise<undefined>((resolve) => (goOn = () => resolve(undefined)))
    vi.spyOn(db, 'transaction').mockReturnValueOnce(blocked as never)
    const slow = clearPending()
    await waitFor(() => expect(db.transaction).toHaveBeenCalled())
    await clearPending()
    await checkLeftAccounts()
    goOn()
    await slow
    await checkLeftAccounts()
    expect([server.checked, leftAccounts()]).toMatchObject([[proofOf(sam)], [{ userId: sam, state }]])
  })
})
