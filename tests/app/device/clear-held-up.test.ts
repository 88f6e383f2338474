import { beforeEach, describe, expect, it, vi } from 'vitest'
// first, as modules read local storage when they load
import { fill, leftOf, sam, signedIn } from './device-of-two.ts'
import { clearDevice, clearPending } from '#app/device/clear.ts'
import { mayStore } from '#app/device/owner.ts'
import { notePresentSessions } from '#app/device/present-session.ts'
import { noteSession } from '#app/device/store/device-store.ts'
import { db } from '#app/device/store/db.ts'
import { databaseLost, instanceStored } from '#app/device/store/store-events.ts'
import { addPendingClearing, pendingClearings, removePendingClearing } from '#app/session/pending-clearing.ts'
import { token } from '#tests/app/session/browser.ts'
import { waitFor } from '#tests/support/wait-for.ts'

/** A sign-out that is held up while its owner signs in again in another tab. docs/decisions/0032-what-stays-on-a-device.md */

describe('a sign-out that is held up while its owner signs in again in another tab', () => {
  /** epoch ms by the server's clock */
  const issuedAt = 2_000_000
  const later = { id: 'later', at: 3_000_000 }
  const heldUp = (keepUnsent: boolean) => clearDevice({ userId: sam, keepUnsent, endsSession: 's', issuedAt })
  beforeEach(async () => {
    signedIn(sam)
    await noteSession(sam, { id: 's', at: 1_000_000 }, () => true)
    await noteSession(sam, later, () => true)
  })

  it.each([true, false])('clears nothing, and this tab stores again (keepUnsent: %s)', async (keepUnsent) => {
    const before = await leftOf(sam)
    expect(await heldUp(keepUnsent)).toBe(false)
    expect([await leftOf(sam), mayStore(sam)]).toEqual([before, true])
  })

  it('clears nothing either once they have signed out again and kept what is unsent', async () => {
    await clearDevice({ userId: sam, keepUnsent: true, endsSession: 'later', issuedAt: 4_000_000 })
    const before = await leftOf(sam)
    expect(before).toContain('secret-unsent')
    expect(await heldUp(false)).toBe(false)
    expect(await leftOf(sam)).toBe(before)
  })

  it.each([true, false])(
    'clears if a killed browser has lost the later one, and brought this one back (keepUnsent: %s)',
    async (keepUnsent) => {
      localStorage.setItem('accessToken', token({ sid: 's' }))
      expect(await heldUp(keepUnsent)).toBe(true)
      const left = await leftOf(sam)
      expect([left.includes('secret-sent'), left.includes('secret-unsent')]).toEqual([false, keepUnsent])
      localStorage.removeItem('accessToken')
    },
  )

  it('or at the next start, where a killed browser has brought back its note', async () => {
    const before = await leftOf(sam)
    addPendingClearing({ userId: sam, keepUnsent: false, endsSession: 's', issuedAt })
    signedIn(undefined)
    await clearPending()
    expect([await leftOf(sam), pendingClearings()]).toEqual([before, []])
  })

  it('a sign-out of the later session clears everything, and the note of it', async () => {
    expect(await clearDevice({ userId: sam, keepUnsent: false, endsSession: 'later', issuedAt: 4_000_000 })).toBe(true)
    expect(await leftOf(sam)).toBe('[]')
    expect(JSON.stringify(await db.device.toArray())).not.toContain(sam)
  })

  it('so does one of a session that the disk did not note', async () => {
    expect(await clearDevice({ userId: sam, keepUnsent: false, endsSession: 'not noted', issuedAt: 4_000_000 })).toBe(true)
    expect(await leftOf(sam)).toBe('[]')
  })

  it('clears nothing either if another tab finished it, and the clock of the device was set back', async () => {
    await clearDevice({ userId: sam, keepUnsent: false, endsSession: 'later', issuedAt: later.at })
    vi.spyOn(Date, 'now').mockReturnValue(later.at - 3_600_000)
    signedIn(sam)
    await noteSession(sam, { id: 'last', at: later.at + 60_000 }, () => true)
    await fill(sam)
    const before = await leftOf(sam)
    expect(await clearDevice({ userId: sam, keepUnsent: false, endsSession: 'later', issuedAt: later.at })).toBe(false)
    expect(await leftOf(sam)).toBe(before)
  })

  it('or if the database was deleted since, in an open page', async () => {
    localStorage.setItem('accessToken', token({ sid: 'later', iat: later.at / 1000 }))
    await db.device.clear()
    notePresentSessions()
    await waitFor(async () => expect(JSON.stringify(await db.device.toArray())).toContain('later'))
    await db.device.clear()
    databaseLost.emit()
    instanceStored.emit()
    await waitFor(async () => expect(JSON.stringify(await db.device.toArray())).toContain('later'))
    expect(await heldUp(false)).toBe(false)
  })

  it('or if the database does not have the later session yet', async () => {
    await db.device.clear()
    localStorage.setItem('accessToken', token({ sid: 'later' }))
    localStorage.setItem('idToken', token({ sub: sam }))
    const before = await leftOf(sam)
    expect(await heldUp(false)).toBe(false)
    expect(await leftOf(sam)).toBe(before)
    localStorage.removeItem('idToken')
    localStorage.removeItem('accessToken')
  })

  it('a tab that goes on once they have signed out notes nothing', async () => {
    await clearDevice({ userId: sam, keepUnsent: false, endsSession: 'later', issuedAt: 4_000_000 })
    localStorage.setItem('accessToken', token({ sid: 'last', iat: 5000 }))
    const closing = db.transaction('rw', db.device, async () => {
      await db.device.count()
      localStorage.removeItem('accessToken')
    })
    notePresentSessions()
    await closing
    await db.device.count()
    expect(JSON.stringify(await db.device.toArray())).not.toContain(sam)
  })

  it('nor one that starts while the rows are cleared, before the tokens are', async () => {
    const clearing = { userId: sam, keepUnsent: false, endsSession: 'later', issuedAt: 4_000_000 }
    localStorage.setItem('accessToken', token({ sid: 'later', iat: 5000 }))
    addPendingClearing(clearing)
    await clearDevice(clearing)
    notePresentSessions()
    await db.device.count()
    await db.device.count()
    expect(JSON.stringify(await db.device.toArray())).not.toContain(sam)
    removePendingClearing(sam)
    localStorage.removeItem('accessToken')
  })

  it('a session is noted as new only once', async () => {
    await noteSession(sam, { ...later, at: 5_000_000 }, () => true)
    expect(await clearDevice({ userId: sam, keepUnsent: false, endsSession: 'not noted', issuedAt: 4_000_000 })).toBe(true)
  })
})
