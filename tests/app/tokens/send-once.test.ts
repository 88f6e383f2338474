import { expect, test } from 'vitest'
import { ApiError } from '#app/api/api-error.ts'
import { sendOnce } from '#app/screens/tokens/send-once.ts'

const lost = new ApiError({ kind: 'FETCH_ERROR' })
const mismatch = new ApiError({ kind: 'HTTP', status: 409, data: { code: 'OPERATION_MISMATCH', message: '-', requestId: '-' } })

/** A server that answers in turn, and the operation ids that it was sent. */
function answering(...answers: (ApiError | 'given')[]) {
  const sent: string[] = []
  const send = (operationId: string) => {
    sent.push(operationId)
    const answer = answers.shift()
    return answer instanceof ApiError ? Promise.reject(answer) : Promise.resolve(answer)
  }
  return { sent, send }
}

test('a lost answer is asked for with the same id, and an answered one with another', async () => {
  const { sent, send } = answering(lost, 'given', 'given')
  await expect(sendOnce('a', send)).rejects.toBe(lost)
  await sendOnce('a', send)
  await sendOnce('a', send)
  expect(sent[1]).toBe(sent[0])
  expect(sent[2]).not.toBe(sent[0])
})

test('given without an answer and taken back since: it is given anew, by another id', async () => {
  const { sent, send } = answering(lost, mismatch, 'given')
  await expect(sendOnce('b', send)).rejects.toBe(lost)
  expect(await sendOnce('b', send)).toBe('given')
  expect(sent[1]).toBe(sent[0])
  expect(sent[2]).not.toBe(sent[0])
})

test('a new id that is refused all the same is told, not tried for ever', async () => {
  const { sent, send } = answering(mismatch)
  await expect(sendOnce('c', send)).rejects.toBe(mismatch)
  expect(sent).toHaveLength(1)
})
