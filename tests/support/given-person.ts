import { beforeEach } from 'vitest'
import type { UserTypeCode } from '#contract/rules/user-types.ts'
import { coachData, signIn, type Person } from './person.ts'
import type { TestServer } from './start-server.ts'

let count = 0

/** An e-mail address that no other test of the file uses. */
export function newEmail(name: string): string {
  count += 1
  return `${name}${count}@club.test`
}

/** A new account for each test of a describe, signed in. Call it after `givenServer`. */
export function givenPerson(server: TestServer, userTypeCode: UserTypeCode): Person {
  const given = {} as Person // filled before each test
  beforeEach(async () => {
    Object.assign(given, await signIn(server, newEmail(userTypeCode), userTypeCode, userTypeCode === 'coach' ? coachData : {}))
  })
  return given
}
