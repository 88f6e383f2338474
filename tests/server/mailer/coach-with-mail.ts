import { movableClock, type Person } from '#tests/support/person.ts'
import { jobsOf } from '#tests/support/jobs.ts'
import type { ServerOptions, TestServer } from '#tests/support/start-server.ts'
import { coachWith } from '#tests/server/instances/support.ts'
import { serverWithMail, type FakeMailServer } from './support.ts'

/** The shortest wait after each failure; the longest is twice that, and 6 hours at most. */
export const WAITS = [30, 60, 120, 240, 480, 960, 1920, 3840, 7680, 15_360]
export const DAY_SECONDS = 86_400

interface Setup {
  server: TestServer
  smtp: FakeMailServer
  clock: ReturnType<typeof movableClock>
  coach: Person
}

/** A coach with tokens, on a server that sends its mails to a fake mail server. */
export async function coachWithMail(options: ServerOptions = {}): Promise<Setup> {
  const clock = movableClock()
  const { server, smtp } = await serverWithMail({ clock, env: { MAILS_PER_HOUR: '100' }, ...options })
  const coach = await coachWith(server, 'coach@club.test', 40)
  smtp.delivered.length = 0
  return { server, smtp, clock, coach }
}

/** Whether no job is left. */
export const isFinished = async (server: TestServer) => (await jobsOf(server)).body.total === 0
