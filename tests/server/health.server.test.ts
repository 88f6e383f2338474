import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '#tests/support/person.ts'
import { engines, startServer, type TestServer } from '#tests/support/start-server.ts'

describe.each(engines)('health (%s)', (database) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ database })
  })
  afterAll(() => server.close())

  test('answers the body that means "online" (OFFLINE-1)', async () => {
    const { status, body } = await ask(server, 'GET', 'health')
    expect(status).toBe(200)
    expect(body).toEqual({ status: 'ok', service: 'touchline' })
  })
})
