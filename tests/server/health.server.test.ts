import { describe, expect, test } from 'vitest'
import { ask } from '#tests/support/person.ts'
import { givenServer } from '#tests/support/start-server.ts'

describe('health', () => {
  const server = givenServer()

  test('replies with the body that means "online" (OFFLINE-1)', async () => {
    const { status, body } = await ask(server, 'GET', 'health')
    expect(status).toBe(200)
    expect(body).toEqual({ status: 'ok', service: 'touchline' })
  })
})
