import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { hashOfAllRows } from '#tests/support/every-row.ts'
import { movableClock, type Person } from '#tests/support/person.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'
import { coachWith } from './support.ts'

/** What the tests of a describe start with: one server for all of them and a new coach for each. */
interface Given {
  server: TestServer
  coach: Person
  /** an e-mail address that no other test uses */
  address: (name: string) => string
}

/** Call it before hooks that need the server or the coach: hooks run in the order in which they are declared. */
export function givenCoach(tokens: number, clock = movableClock()): Given {
  let count = 0
  const given = { address: (name) => `${name}${count}@club.test` } as Given // the hooks below add the rest before any test
  beforeAll(async () => {
    given.server = await startServer({ clock })
  })
  afterAll(() => given.server.close())
  beforeEach(async () => {
    count += 1
    given.coach = await coachWith(given.server, given.address('coach'), tokens)
  })
  return given
}

/** An instance as the database has it. */
export async function rowOf(server: TestServer, instanceId: string) {
  return (await server.rows('instances')).find((row) => row['id'] === instanceId)
}

/** Expects `act` to leave every table unchanged. */
export async function expectUnchanged<T>(server: TestServer, act: () => Promise<T>): Promise<T> {
  await server.deps.jobs.settled('mails')
  const before = await hashOfAllRows(server)
  const result = await act()
  expect(await hashOfAllRows(server)).toEqual(before)
  return result
}

type Refused = { status: number; body: { code?: string } }

export async function expectRefused(server: TestServer, call: () => Promise<Refused>, status: number, code: string): Promise<void> {
  const reply = await expectUnchanged(server, call)
  expect([reply.status, reply.body.code]).toEqual([status, code])
}
