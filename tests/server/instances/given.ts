import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { hashOfAllRows } from '#tests/support/every-row.ts'
import { movableClock, type Person } from '#tests/support/person.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'
import { coachWith } from './support.ts'

/** What the tests of a describe begin with: one server for them all, and for each a coach of its own. */
export interface Given {
  server: TestServer
  coach: Person
  /** one that no other test has */
  address: (name: string) => string
}

/** Call it first in a describe: what else each test begins with comes after it. */
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

/** Whatever `act` does, every table is afterwards as it was before. */
export async function expectUnchanged<T>(server: TestServer, act: () => Promise<T>): Promise<T> {
  await server.deps.mails.wake()
  const before = await hashOfAllRows(server)
  const result = await act()
  expect(await hashOfAllRows(server)).toEqual(before)
  return result
}

type Refused = { status: number; body: { code?: string } }

export async function expectRefused(server: TestServer, call: () => Promise<Refused>, status: number, code: string): Promise<void> {
  const said = await expectUnchanged(server, call)
  expect([said.status, said.body.code]).toEqual([status, code])
}
