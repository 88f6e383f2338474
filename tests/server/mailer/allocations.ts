import { expect } from 'vitest'
import { signIn, type Person } from '#tests/support/person.ts'
import { LONGEST_WAIT_SECONDS, timePasses } from '#tests/support/jobs.ts'
import type { ServerOptions, TestServer } from '#tests/support/start-server.ts'
import { allocate, allocatedTo, reclaim, resend } from '#tests/server/instances/support.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { coachWithMail, DAY_SECONDS } from './coach-with-mail.ts'
import type { FakeMailServer } from './support.ts'

/** A coach who gives a player assessments and takes them back, and the mails that the player gets. */

export const PLAYER = 'p@club.test'
export const INVITED = 'invites you'
export const REMINDED = 'A reminder from'
export const TAKEN_BACK = 'taken an assessment back'

export async function given(options: ServerOptions = {}) {
  const { server, smtp, clock, coach: signedIn } = await coachWithMail(options)
  let coach = signedIn
  const settle = async () => {
    await server.deps.jobs.settled('mails')
    // with what the first ones queued
    await server.deps.jobs.settled('mails')
  }
  const give = async (to = PLAYER) => {
    clock.forward(1)
    const { instanceId } = (await allocate(server, coach, to)).body
    await settle()
    return instanceId
  }
  const takeBack = async (instanceId: string) => {
    clock.forward(1)
    expect((await reclaim(server, coach, instanceId)).status).toBe(200)
    await settle()
  }
  const daysPass = async (days: number) => {
    clock.forward(days * DAY_SECONDS)
    coach = await signIn(server, coach.email, 'coach')
  }
  /** Until every try and every wait is over. */
  const waitForAll = async () => {
    for (let waits = 0; waits < 2; waits += 1) {
      clock.forward(1)
      await timePasses(server, LONGEST_WAIT_SECONDS)
      await settle()
    }
  }
  /** This allocation and one after it, while the mail server takes nothing; then it takes all. */
  const takeBackTwiceDeferred = async (first: string) => {
    smtp.replyWith(451)
    await takeBack(first)
    await takeBack(await give())
    smtp.replyWith(250)
    await waitForAll()
  }
  const remind = async () => {
    expect((await resend(server, coach, PLAYER)).status).toBe(200)
    await settle()
  }
  const invitation = async () => (await allocatedTo(server, coach)).map((row) => row.invitation)
  return { server, smtp, clock, coach, daysPass, give, takeBack, takeBackTwiceDeferred, waitForAll, settle, remind, invitation }
}

export const mailsTo = ({ delivered }: FakeMailServer, address = PLAYER) =>
  delivered
    .filter(({ to }) => to === address)
    .map(({ subject }) => [INVITED, REMINDED, TAKEN_BACK].find((words) => subject.includes(words)) ?? subject)

/** An allocation whose invitation the mail server has in hand until `decide`; it takes those that come after. */
export async function allocateHeld({ server, smtp, coach }: { server: TestServer; smtp: FakeMailServer; coach: Person }) {
  const decide = smtp.holdAddresses()
  const tries = smtp.tries()
  const { instanceId } = (await allocate(server, coach, PLAYER)).body
  await waitFor(() => smtp.tries() > tries)
  smtp.holdAddresses()()
  return { instanceId, decide }
}
