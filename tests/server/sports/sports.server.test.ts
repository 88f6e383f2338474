import { describe, expect, test } from 'vitest'
import { ask } from '#tests/support/person.ts'
import { givenServer } from '#tests/support/start-server.ts'

describe('sports', () => {
  const server = givenServer()

  test('soccer is the only one, on the first page (PRODUCT-8)', async () => {
    const soccer = { id: 'soccer', name: 'Soccer' }
    expect((await ask(server, 'GET', 'sports')).body).toEqual({ data: [soccer] })
    expect((await ask(server, 'GET', 'sports?page=1&limit=10')).body).toEqual({ data: [soccer] })
    expect((await ask(server, 'GET', 'sports?page=2')).body).toEqual({ data: [] })
    expect((await ask(server, 'GET', 'sports/soccer')).body).toEqual(soccer)
  })

  test('an unknown sport is 404, and a wrong or unknown parameter is refused', async () => {
    expect((await ask(server, 'GET', 'sports/tennis')).status).toBe(404)
    expect((await ask(server, 'GET', 'sports?limit=0')).body.code).toBe('INVALID_INPUT')
    expect((await ask(server, 'GET', 'sports?sort=name')).body.code).toBe('UNKNOWN_FIELD')
  })
})
