import { describe, expect, test } from 'vitest'
import { ask, closeAccount, signIn, type Person } from '#tests/support/person.ts'
import { jobsOf, repeat } from '#tests/support/jobs.ts'
import type { TestServer } from '#tests/support/start-server.ts'
import { allocate, reclaim, resend } from '#tests/server/instances/support.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { deleteOldMails } from '#server/mailer/store.ts'
import { given, allocateHeld, INVITED, mailsTo, PLAYER, REMINDED, TAKEN_BACK } from './allocations.ts'
import type { FakeMailServer } from './support.ts'

/** Whom a reclaim tells: the player who may have an invitation that is worth nothing now, and nobody else. MAIL-7, docs/decisions/0039 */

const OTHER_ASSESSMENT = {
  assessmentId: 'another',
  name: 'Another',
  tagline: 'Of the same',
  description: 'Another one',
  estimatedTimeMinutes: 10,
  prices: [{ id: 'price_another', unitAmount: 1000, currency: 'EUR' }],
  sampleReportFilename: 'another.pdf',
}

const correct = (server: TestServer, coach: Person, instanceId: string, playerEmail: string) =>
  ask(server, 'POST', `assessment/assessment-instance/${instanceId}/correct-address`, { bearer: coach.accessToken, body: { playerEmail } })

const byOperator = (server: TestServer, path: string) =>
  ask(server, 'POST', path, { bearer: server.deps.keys.operatorKey, body: { email: PLAYER } })

describe('given and taken back twice while the mail server is away', () => {
  test('the player who has the first invitation is told once', async () => {
    const { smtp, give, takeBack, waitForAll } = await given()
    const first = await give()
    smtp.replyWith(451)
    await takeBack(first)
    // each drops the mail about the reclaim before it
    await takeBack(await give())
    await takeBack(await give())
    smtp.replyWith(250)
    await waitForAll()
    expect(mailsTo(smtp)).toEqual([INVITED, TAKEN_BACK])

    // what was told is over
    smtp.replyWith(451)
    await takeBack(await give())
    smtp.replyWith(250)
    await waitForAll()
    expect(mailsTo(smtp)).toEqual([INVITED, TAKEN_BACK])
  })

  test('also if it is not known whether the first invitation arrived', async () => {
    const { smtp, give, takeBackTwiceDeferred } = await given()
    smtp.cutReplies()
    const first = await give()
    await takeBackTwiceDeferred(first)
    expect(mailsTo(smtp)).toEqual([INVITED, TAKEN_BACK])
  })

  test('also if the second one is taken back to correct its address', async () => {
    const { server, smtp, coach, give, takeBack, waitForAll } = await given()
    const first = await give()
    smtp.replyWith(451)
    await takeBack(first)
    expect((await correct(server, coach, await give(), 'q@club.test')).status).toBe(201)
    smtp.replyWith(250)
    await waitForAll()
    expect(mailsTo(smtp)).toEqual([INVITED, TAKEN_BACK])
    expect(mailsTo(smtp, 'q@club.test')).toEqual([INVITED])
  })

  test('also if the mail server refuses the second invitation for good', async () => {
    const { server, smtp, clock, coach, give, takeBack, waitForAll } = await given()
    const first = await give()
    smtp.replyWith(451)
    await takeBack(first)
    const decide = smtp.holdAddresses()
    const tries = smtp.tries()
    clock.forward(1)
    const { instanceId } = (await allocate(server, coach, PLAYER)).body
    await waitFor(() => smtp.tries() > tries)
    clock.forward(1)
    await reclaim(server, coach, instanceId)
    smtp.replyWith(250)
    decide(550)
    await server.deps.jobs.settled('mails')
    await waitForAll()
    expect(mailsTo(smtp)).toEqual([INVITED, TAKEN_BACK])
  })

  test('also if the first invitation is so old that its mail is deleted', async () => {
    const { server, smtp, clock, daysPass, give, takeBackTwiceDeferred } = await given()
    const first = await give()
    await daysPass(40)
    await deleteOldMails(server.deps.db, clock.now())
    await takeBackTwiceDeferred(first)
    expect(mailsTo(smtp)).toEqual([INVITED, TAKEN_BACK])
  })

  test.each([451, 550] as const)('also if a reminder fails a month after the invitation (%i)', async (reply) => {
    const { server, smtp, clock, daysPass, give, takeBack, waitForAll, remind } = await given()
    const instanceId = await give()
    await daysPass(40)
    await deleteOldMails(server.deps.db, clock.now())
    smtp.replyWith(reply)
    await remind()
    smtp.replyWith(250)
    await takeBack(instanceId)
    await waitForAll()
    expect(mailsTo(smtp)).toEqual([INVITED, TAKEN_BACK])
  })

  test('not once the account is closed', async () => {
    const { server, smtp, give, takeBack, waitForAll } = await given()
    const player = await signIn(server, PLAYER)
    const instanceId = await give()
    smtp.replyWith(451)
    await takeBack(instanceId)
    smtp.replyWith(250)
    await closeAccount(server, player)
    await waitForAll()
    expect(mailsTo(smtp)).not.toContain(TAKEN_BACK)
  })

  test('not if another assessment of the coach was taken back meanwhile: one such mail a week', async () => {
    const { server, smtp, coach, give, takeBack, waitForAll } = await given()
    await ask(server, 'POST', 'assessment', { bearer: server.deps.keys.operatorKey, body: OTHER_ASSESSMENT })
    const first = await give()
    const other = (await allocate(server, coach, PLAYER, { assessmentId: OTHER_ASSESSMENT.assessmentId })).body.instanceId
    await server.deps.jobs.settled('mails')
    expect(mailsTo(smtp)).toEqual([INVITED, INVITED])
    smtp.replyWith(451)
    await takeBack(first)
    const second = await give()
    await takeBack(other)
    await takeBack(second)
    smtp.replyWith(250)
    await waitForAll()
    expect(mailsTo(smtp)).toEqual([INVITED, INVITED, TAKEN_BACK])
  })

  test.each([
    { reply: undefined, told: [INVITED, TAKEN_BACK] },
    { reply: 550 as const, told: [] },
  ])('if the first invitation is in hand, only once it is decided ($reply)', async ({ reply, told }) => {
    const { server, smtp, clock, coach, waitForAll } = await given()
    const decide = smtp.holdAddresses()
    const tries = smtp.tries()
    const first = (await allocate(server, coach, PLAYER)).body.instanceId
    await waitFor(() => smtp.tries() > tries)
    clock.forward(1)
    await reclaim(server, coach, first)
    // whoever comes now does not wait
    smtp.holdAddresses()()
    smtp.replyWith(451)
    clock.forward(1)
    const second = (await allocate(server, coach, PLAYER)).body.instanceId
    await waitFor(async () => (await jobsOf(server)).body.data.some((job) => job.state === 'waiting' && job.tries > 0))
    clock.forward(1)
    await reclaim(server, coach, second)
    smtp.replyWith(250)
    // another mail, which is sent after any that is due
    await allocate(server, coach, 'q@club.test')
    await waitFor(() => mailsTo(smtp, 'q@club.test').length === 1)
    decide(reply)
    await server.deps.jobs.settled('mails')
    await waitForAll()
    expect(mailsTo(smtp)).toEqual(told)
  })
})

describe('with reports of what came back', () => {
  const key = 'aZ3kq9Lm2xVb7Ty5Rw8Ec1Ud6Fg4Hj0Ns'
  const withReports = { env: { MAILS_PER_HOUR: '100', MAIL_BOUNCE_KEY: key } }

  /** Of the mail that was delivered last. */
  async function reportBounce(server: TestServer, { delivered }: FakeMailServer): Promise<void> {
    const messageId = delivered.findLast(({ to }) => to === PLAYER)?.headers['message-id']
    const report = { messageId, status: '5.2.2', diagnostic: '552 5.2.2 mailbox full' }
    expect((await ask(server, 'POST', 'mail/bounce', { bearer: key, body: report })).status).toBe(200)
  }

  test('an invitation that comes back leaves the one before it to be told of', async () => {
    const { server, smtp, give, takeBack, waitForAll } = await given(withReports)
    const first = await give()
    smtp.replyWith(451)
    await takeBack(first)
    smtp.replyWith(250)
    const second = await give()
    smtp.replyWith(451)
    await takeBack(second)
    smtp.replyWith(250)
    await reportBounce(server, smtp)
    await waitForAll()
    expect(mailsTo(smtp)).toEqual([INVITED, INVITED, TAKEN_BACK])
  })

  test('nobody is told if the reminder came back, and then the invitation that the mail server was slow to take', async () => {
    const { server, smtp, clock, coach, takeBack, settle, waitForAll, invitation } = await given(withReports)
    const { instanceId, decide } = await allocateHeld({ server, smtp, coach })
    clock.forward(1)
    expect((await resend(server, coach, PLAYER)).status).toBe(200)
    await waitFor(() => mailsTo(smtp).length === 1)
    await reportBounce(server, smtp)
    decide()
    await settle()
    expect(await invitation()).toEqual(['given-up'])
    await reportBounce(server, smtp)
    await takeBack(instanceId)
    await waitForAll()
    expect(mailsTo(smtp)).toEqual([REMINDED, INVITED])
  })
})

describe('nobody is told that their assessment was taken back once it is theirs again', () => {
  test('if the mail server had that mail in hand, and then does not take it', async () => {
    const { server, smtp, coach, give, settle, waitForAll, invitation } = await given()
    const first = await give()
    const decide = smtp.holdAddresses()
    const tries = smtp.tries()
    await reclaim(server, coach, first)
    await waitFor(() => smtp.tries() > tries)
    smtp.holdAddresses()()
    await allocate(server, coach, PLAYER)
    await waitFor(() => mailsTo(smtp).length === 2)
    smtp.replyWith(451)
    decide()
    await settle()
    smtp.replyWith(250)
    await waitForAll()
    expect(mailsTo(smtp)).toEqual([INVITED, INVITED])
    expect(await invitation()).toEqual(['sent'])
  })

  test('if the operator repeats that mail, which was given up', async () => {
    const { server, smtp, give, takeBack, waitForAll, settle } = await given()
    const first = await give()
    smtp.replyWith(451)
    await takeBack(first)
    for (let tries = 0; tries < 6; tries += 1) await waitForAll()
    smtp.replyWith(250)
    await give()
    expect((await repeat(server, { queue: 'mails' })).body).toMatchObject({ repeated: 1 })
    await settle()
    expect(mailsTo(smtp)).toEqual([INVITED, INVITED])
  })
})

describe('an invitation that may have arrived is told of', () => {
  test('if another try was refused for good', async () => {
    const { smtp, give, takeBack, waitForAll, invitation } = await given()
    smtp.cutReplies()
    const instanceId = await give()
    smtp.replyWith(550)
    await waitForAll()
    expect(await invitation()).toEqual(['refused'])
    smtp.replyWith(250)
    await takeBack(instanceId)
    await waitForAll()
    expect(mailsTo(smtp)).toEqual([INVITED, TAKEN_BACK])
  })

  test('if the reminder was refused for good', async () => {
    const { server, smtp, coach, give, takeBack, settle, waitForAll } = await given()
    smtp.cutReplies()
    const instanceId = await give()
    smtp.replyWith(550)
    await resend(server, coach, PLAYER)
    await settle()
    smtp.replyWith(250)
    await takeBack(instanceId)
    await waitForAll()
    expect(mailsTo(smtp)).toEqual([INVITED, TAKEN_BACK])
  })
})

describe('an invitation that reached nobody is not told of', () => {
  test('if its address wanted no mails when it was due', async () => {
    const { server, smtp, give, takeBack, waitForAll, invitation } = await given()
    smtp.replyWith(451)
    const instanceId = await give()
    expect((await byOperator(server, 'user/block')).status).toBe(200)
    smtp.replyWith(250)
    await waitForAll()
    expect(await invitation()).toEqual(['unwanted'])
    expect((await byOperator(server, 'user/unblock')).status).toBe(204)
    await takeBack(instanceId)
    await waitForAll()
    expect(mailsTo(smtp)).toEqual([])
  })

  test('if the mail server refused it for good', async () => {
    const { smtp, give, takeBack, waitForAll } = await given()
    smtp.replyWith(550)
    const instanceId = await give()
    smtp.replyWith(250)
    await takeBack(instanceId)
    await waitForAll()
    expect(mailsTo(smtp)).toEqual([])
  })

  test.each(['before', 'after'])('if it came back (%s the reclaim)', async (when) => {
    const key = 'aZ3kq9Lm2xVb7Ty5Rw8Ec1Ud6Fg4Hj0Ns'
    const { server, smtp, give, takeBack, waitForAll } = await given({ env: { MAILS_PER_HOUR: '100', MAIL_BOUNCE_KEY: key } })
    const instanceId = await give()
    if (when === 'after') {
      smtp.replyWith(451)
      await takeBack(instanceId)
      smtp.replyWith(250)
    }
    const messageId = smtp.delivered.find(({ to }) => to === PLAYER)?.headers['message-id']
    const report = { messageId, status: '5.2.2', diagnostic: '552 5.2.2 mailbox full' }
    expect((await ask(server, 'POST', 'mail/bounce', { bearer: key, body: report })).status).toBe(200)
    if (when === 'before') await takeBack(instanceId)
    await waitForAll()
    expect(mailsTo(smtp)).toEqual([INVITED])
  })
})
