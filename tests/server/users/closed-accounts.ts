import type { Account } from '#contract/users.operator.ts'
import type { Profile } from '#contract/users.ts'
import { eraseClosedAccounts } from '#server/users/closed-accounts.ts'
import { ask, type movableClock, type Person } from '#tests/support/person.ts'
import type { TestServer } from '#tests/support/start-server.ts'

export const DAY_SECONDS = 86_400

/** What becomes of accounts once they are closed. */
export function closedAccounts(server: TestServer, clock: ReturnType<typeof movableClock>) {
  return {
    profile: (person: Person) => ask<Profile & { code: string }>(server, 'GET', `user/${person.userId}`, { bearer: person.accessToken }),
    reopen: (email: string, userTypeCode = 'player') =>
      ask<Account & { code: string }>(server, 'POST', 'user', { bearer: server.deps.keys.operatorKey, body: { email, userTypeCode } }),
    rowOf: async (userId: string) => (await server.rows('users')).find((one) => one['id'] === userId),
    /** and after the sweep */
    afterDays: async (days: number) => {
      clock.forward(days * DAY_SECONDS)
      await eraseClosedAccounts(server.deps)
    },
  }
}
