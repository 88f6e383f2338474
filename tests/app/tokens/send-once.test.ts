import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#app/api/api-error.ts'
import { mayBeDone } from '#app/api/lost-replies.ts'
import { sendOnce } from '#app/screens/tokens/send-once.ts'
import { fakeStorage } from '#tests/support/storage.ts'

beforeEach(() => vi.stubGlobal('localStorage', fakeStorage()))

const lost = new ApiError({ kind: 'FETCH_ERROR' })
const mismatch = new ApiError({ kind: 'HTTP', status: 409, data: { code: 'OPERATION_MISMATCH', message: '-', requestId: '-' } })

/** A server that sends these replies in turn, and the operation ids that it was sent. */
function replying(...replies: (ApiError | 'given')[]) {
  const sent: string[] = []
  const send = (operationId: string) => {
    sent.push(operationId)
    const reply = replies.shift()
    return reply instanceof ApiError ? Promise.reject(reply) : Promise.resolve(reply)
  }
  return { sent, send }
}

test('a retry after a lost reply uses the same operation id, and the next allocation another', async () => {
  const { sent, send } = replying(lost, 'given', 'given')
  await expect(sendOnce('a', send)).rejects.toBe(lost)
  await sendOnce('a', send)
  await sendOnce('a', send)
  expect(sent[1]).toBe(sent[0])
  expect(sent[2]).not.toBe(sent[0])
})

test('a retry that a proxy refuses leaves the operation id to the next one', async () => {
  const { sent, send } = replying(lost, new ApiError({ kind: 'HTTP', status: 403, data: 'Forbidden' }), 'given')
  for (const _ of [1, 2]) {
    await expect(sendOnce('d', send)).rejects.toThrow()
    expect(mayBeDone('d')).toBe(true)
  }
  await sendOnce('d', send)
  expect(mayBeDone('d')).toBe(false)
  expect(new Set(sent).size).toBe(1)
})

test('an allocation whose reply was lost, and that was taken back since, is sent again under a new id', async () => {
  const { sent, send } = replying(lost, mismatch, 'given')
  await expect(sendOnce('b', send)).rejects.toBe(lost)
  expect(await sendOnce('b', send)).toBe('given')
  expect(sent[1]).toBe(sent[0])
  expect(sent[2]).not.toBe(sent[0])
})

test('a new id that is refused as used fails and is not retried', async () => {
  const { sent, send } = replying(mismatch)
  await expect(sendOnce('c', send)).rejects.toBe(mismatch)
  expect(sent).toHaveLength(1)
})
