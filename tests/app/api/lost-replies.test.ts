import { beforeEach, expect, test, vi } from 'vitest'
import { LOST_REPLY_KEPT_MS } from '#app/constants.ts'
import { fakeStorage } from '#tests/support/storage.ts'

async function lost() {
  const { ApiError } = await import('#app/api/api-error.ts')
  throw new ApiError({ kind: 'FETCH_ERROR' })
}

/** A page of the app, with what the browser has stored. */
async function openPage() {
  vi.resetModules()
  return import('#app/api/lost-replies.ts')
}

beforeEach(() => {
  vi.useRealTimers()
  vi.stubGlobal('localStorage', fakeStorage())
})

test('a page that is left before the reply comes knows it when it is opened again', async () => {
  const left = await openPage()
  void left.trackReply('a', () => new Promise(() => undefined))
  const { mayBeDone, trackReply } = await openPage()
  expect([mayBeDone('a'), mayBeDone('b')]).toEqual([true, false])
  await trackReply('a', async () => 'done')
  expect(mayBeDone('a')).toBe(false)
})

test('what one person sent is not said to another, who signs in on the same browser after the first one’s session has ended', async () => {
  const { mayBeDone, trackReply } = await openPage()
  await expect(trackReply('a', lost, 'ana')).rejects.toThrow()
  expect([mayBeDone('a', 'ana'), mayBeDone('a', 'ben')]).toEqual([true, false])
  await trackReply('a', async () => 'done', 'ben')
  expect(mayBeDone('a', 'ana')).toBe(true)
})

test('a lost reply is forgotten after a day', async () => {
  vi.useFakeTimers()
  const { mayBeDone, trackReply } = await openPage()
  await expect(trackReply('a', lost)).rejects.toThrow()
  vi.advanceTimersByTime(LOST_REPLY_KEPT_MS - 1)
  expect(mayBeDone('a')).toBe(true)
  vi.advanceTimersByTime(1)
  expect(mayBeDone('a')).toBe(false)
})

test('with a full storage it is known until the page is left', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  const { mayBeDone, trackReply } = await openPage()
  await expect(trackReply('a', lost)).rejects.toThrow()
  expect(mayBeDone('a')).toBe(true)
  await trackReply('a', async () => 'done')
  expect(mayBeDone('a')).toBe(false)
})

test('nothing is kept of somebody who has signed out', async () => {
  const { trackReply } = await openPage()
  const { sessionPort } = await import('#app/api/session-port.ts')
  let hasSignedOut = false
  sessionPort.provide({
    token: async () => undefined,
    storedToken: () => undefined,
    userId: () => 'pat',
    storedUserId: () => 'pat',
    hasSignedOut: () => hasSignedOut,
    renew: async () => false,
    noteAccepted: () => undefined,
    subscribe: () => () => undefined,
  })
  const signOut = () => {
    localStorage.clear()
    hasSignedOut = true
  }
  await expect(trackReply('a', async () => (signOut(), lost()))).rejects.toThrow()
  // prepared before, and sent only now
  await expect(trackReply('b', lost, 'pat')).rejects.toThrow()
  expect(localStorage.getItem('lostReplies')).toBeNull()
})
