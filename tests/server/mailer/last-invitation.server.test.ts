import { expect, test } from 'vitest'
import { jobsOf } from '#tests/support/jobs.ts'
import { resend } from '#tests/server/instances/support.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { given, allocateHeld, INVITED, mailsTo, PLAYER, REMINDED } from './allocations.ts'

/** The row of the team shows the state of the last invitation. MAIL-11 */

test('a reminder by a process whose clock is behind is shown as sent', async () => {
  const { clock, give, remind, invitation } = await given()
  await give()
  clock.forward(-3)
  await remind()
  expect(await invitation()).toEqual(['sent'])
})

test('a row waits for its reminder though the mail server takes the invitation before it after all', async () => {
  const { server, smtp, clock, coach, waitForAll, invitation } = await given()
  const { decide } = await allocateHeld({ server, smtp, coach })
  clock.forward(1)
  smtp.replyWith(451)
  expect((await resend(server, coach, PLAYER)).status).toBe(200)
  await waitFor(async () => (await jobsOf(server)).body.data.some((job) => job.state === 'waiting' && job.tries > 0))
  smtp.replyWith(250)
  decide()
  await server.deps.jobs.settled('mails')
  expect(await invitation()).toEqual(['waiting'])
  await waitForAll()
  expect(await invitation()).toEqual(['sent'])
  expect(mailsTo(smtp)).toEqual([INVITED, REMINDED])
})
