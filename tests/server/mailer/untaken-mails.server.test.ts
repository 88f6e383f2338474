import { describe, expect, test } from 'vitest'
import { REMINDERS_MAXIMUM } from '#contract/constants.ts'
import { LONGEST_WAIT_SECONDS, repeat, timePasses } from '#tests/support/jobs.ts'
import type { TestServer } from '#tests/support/start-server.ts'
import { allocate, reclaim, resend } from '#tests/server/instances/support.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { coachWithMail, DAY_SECONDS, isFinished, WAITS } from './coach-with-mail.ts'
import type { FakeMailServer } from './support.ts'

/** Resolves once the mail server has received so many more mails: it has those of the coach's sign-in, too. */
function receivedFrom(smtp: FakeMailServer) {
  const before = smtp.received()
  return (count: number) => waitFor(() => smtp.received() >= before + count)
}

/** Invitations that the mail server has not taken, or has in hand: what counts as sent, and whom a reclaim tells. MAIL-4, MAIL-5, MAIL-7 */

describe('the mail queue', () => {
  test('sends no mail about a reclaim if the invitation was never sent', async () => {
    const { server, smtp, clock, coach } = await coachWithMail()
    smtp.replyWith(451)
    const { instanceId } = (await allocate(server, coach, 'p@club.test')).body
    await server.deps.jobs.settled('mails')
    await reclaim(server, coach, instanceId)
    smtp.replyWith(250)
    clock.forward(DAY_SECONDS)
    await timePasses(server, DAY_SECONDS)
    await server.deps.jobs.settled('mails')
    expect(smtp.delivered).toEqual([])
    expect(await isFinished(server)).toBe(true)
  })

  describe('about a reclaim while the mail server has the invitation', () => {
    const subjects = ({ delivered }: FakeMailServer) => delivered.map(({ subject }) => subject)
    async function reclaimedMeanwhile(isResent = false) {
      const { server, smtp, clock, coach } = await coachWithMail()
      smtp.hold()
      const received = receivedFrom(smtp)
      const { instanceId } = (await allocate(server, coach, 'p@club.test')).body
      await received(1)
      if (isResent) {
        await resend(server, coach, 'p@club.test')
        await received(2)
      }
      expect((await reclaim(server, coach, instanceId)).status).toBe(200)
      expect(subjects(smtp)).toEqual([])
      return { server, smtp, clock, coach, received }
    }
    const over = async (server: TestServer) => {
      await server.deps.jobs.settled('mails')
      await server.deps.jobs.settled('mails')
      expect(await isFinished(server)).toBe(true)
    }

    test('sends a mail once the mail server takes it', async () => {
      const { server, smtp } = await reclaimedMeanwhile()
      smtp.release()
      await waitFor(async () => smtp.delivered.length === 2)
      await over(server)
      expect(subjects(smtp)).toEqual([expect.stringContaining('invites you'), expect.stringContaining('taken an assessment back')])
    })

    test('sends one mail if the mail server had a reminder, too', async () => {
      const { server, smtp } = await reclaimedMeanwhile(true)
      smtp.release()
      await waitFor(async () => smtp.delivered.length === 3)
      await over(server)
      expect(subjects(smtp).filter((subject) => subject.includes('taken an assessment back'))).toHaveLength(1)
    })

    test('sends a mail after a quarter of an hour if it is never known whether the mail server took it', async () => {
      const { server, smtp, received } = await reclaimedMeanwhile()
      await timePasses(server, 15 * 60)
      server.deps.jobs.wake('mails')
      await received(2)
      smtp.release()
      await over(server)
      expect(subjects(smtp).toSorted()).toEqual([
        expect.stringContaining('taken an assessment back'),
        expect.stringContaining('invites you'),
      ])
    })

    test('sends a mail if a reminder that was not tried yet had replaced the invitation', async () => {
      const { server, smtp, coach } = await coachWithMail()
      smtp.hold()
      const received = receivedFrom(smtp)
      const { instanceId } = (await allocate(server, coach, 'p@club.test')).body
      await received(1)
      const fillers = Array.from({ length: 5 }, (_, at) => `q${at}@club.test`)
      for (const email of fillers) await allocate(server, coach, email)
      await received(6)
      // all who send are busy
      await resend(server, coach, 'p@club.test')
      expect((await reclaim(server, coach, instanceId)).status).toBe(200)
      smtp.release()
      await over(server)
      expect(smtp.delivered.filter(({ to, subject }) => to === 'p@club.test' && subject.includes('taken an assessment back'))).toHaveLength(
        1,
      )
    })

    test('sends none if the mail server refuses it for good', async () => {
      const { server, smtp, coach } = await coachWithMail()
      const decide = smtp.holdAddresses()
      const tries = smtp.tries()
      const { instanceId } = (await allocate(server, coach, 'p@club.test')).body
      await waitFor(() => smtp.tries() > tries)
      expect((await reclaim(server, coach, instanceId)).status).toBe(200)
      expect((await server.rows('mails')).map(({ kind }) => kind)).toContain('taken-back')
      smtp.replyWith(550)
      decide()
      await over(server)
      expect(smtp.delivered).toEqual([])
    })

    test('sends none if the assessment is given to the address again', async () => {
      const { server, smtp, coach } = await reclaimedMeanwhile()
      await allocate(server, coach, 'p@club.test')
      smtp.release()
      await waitFor(async () => smtp.delivered.length === 2)
      await over(server)
      expect(subjects(smtp).filter((subject) => subject.includes('taken an assessment back'))).toEqual([])
    })

    test('is not hurried by an operator who repeats what failed', async () => {
      const { server, smtp } = await reclaimedMeanwhile()
      expect((await repeat(server, { queue: 'mails' })).body).toMatchObject({ repeated: 0 })
      smtp.loseReplies()
      smtp.release()
      await over(server)
      expect(subjects(smtp)).toHaveLength(1)
    })

    test('sends none if the mail server does not take it, and that is none of the week', async () => {
      const { server, smtp, coach } = await reclaimedMeanwhile()
      smtp.loseReplies()
      smtp.release()
      await waitFor(async () => smtp.delivered.length === 1)
      await over(server)
      expect(subjects(smtp)).toEqual([expect.stringContaining('invites you')])
      smtp.replyWith(250)
      const { instanceId } = (await allocate(server, coach, 'p@club.test')).body
      await server.deps.jobs.settled('mails')
      await reclaim(server, coach, instanceId)
      await over(server)
      expect(subjects(smtp).at(-1)).toContain('taken an assessment back')
    })
  })

  test('replaces an invitation that nobody received with one, not with a reminder', async () => {
    const { server, smtp, clock, coach } = await coachWithMail()
    smtp.replyWith(451)
    await allocate(server, coach, 'p@club.test')
    await server.deps.jobs.settled('mails')
    await resend(server, coach, 'p@club.test')
    await server.deps.jobs.settled('mails')
    smtp.replyWith(250)
    clock.forward(60)
    await timePasses(server, 60)
    await server.deps.jobs.settled('mails')
    expect(smtp.delivered.map(({ subject }) => subject)).toEqual(['Alex Bergeron invites you: Touchline Profile¹'])
  })

  describe('counts no mail that the mail server did not take', () => {
    const tries = REMINDERS_MAXIMUM + 2

    test('as a reminder or as one of the week, while it waits and after it was given up', async () => {
      const { server, smtp, coach } = await coachWithMail()
      smtp.replyWith(451)
      const { instanceId } = (await allocate(server, coach, 'p@club.test')).body
      for (let i = 0; i < tries; i += 1) {
        await server.deps.jobs.settled('mails')
        expect((await resend(server, coach, 'p@club.test')).status).toBe(200)
      }
      await server.deps.jobs.settled('mails')
      for (const _ of WAITS) {
        await timePasses(server, LONGEST_WAIT_SECONDS)
        await server.deps.jobs.settled('mails')
      }
      expect((await server.rows('instances'))[0]).toMatchObject({ invitation: 'given-up', resends: 0 })
      smtp.replyWith(250)
      for (let i = 0; i < 1 + REMINDERS_MAXIMUM; i += 1) {
        expect((await resend(server, coach, 'p@club.test')).status).toBe(200)
        await server.deps.jobs.settled('mails')
      }
      expect((await resend(server, coach, 'p@club.test')).body.code).toBe('RESEND_LIMIT')
      expect(smtp.delivered).toHaveLength(1 + REMINDERS_MAXIMUM)
      await reclaim(server, coach, instanceId)
      expect((await allocate(server, coach, 'p@club.test')).body.code).toBe('ADDRESS_LIMIT')
    })

    test('of the week, if each was taken back', async () => {
      const { server, smtp, coach } = await coachWithMail()
      smtp.replyWith(451)
      for (let i = 0; i < tries; i += 1) {
        const { status, body } = await allocate(server, coach, 'p@club.test')
        expect(status).toBe(201)
        await server.deps.jobs.settled('mails')
        await reclaim(server, coach, body.instanceId)
      }
    })

    test('if it was replaced while the mail server was about to refuse it', async () => {
      const { server, smtp, coach } = await coachWithMail()
      smtp.loseReplies()
      smtp.hold()
      const received = receivedFrom(smtp)
      await allocate(server, coach, 'p@club.test')
      await received(1)
      expect((await resend(server, coach, 'p@club.test')).status).toBe(200)
      await received(2)
      expect((await server.rows('instances'))[0]).toMatchObject({ resends: 1 })
      smtp.release()
      await server.deps.jobs.settled('mails')
      expect((await server.rows('instances'))[0]).toMatchObject({ resends: 0 })
    })

    test('but the last one that waits for another try can be sent only once', async () => {
      const { server, smtp, coach } = await coachWithMail()
      await allocate(server, coach, 'p@club.test')
      await server.deps.jobs.settled('mails')
      for (let i = 0; i < REMINDERS_MAXIMUM; i += 1) {
        if (i === REMINDERS_MAXIMUM - 1) smtp.replyWith(451)
        expect((await resend(server, coach, 'p@club.test')).status).toBe(200)
        await server.deps.jobs.settled('mails')
      }
      smtp.replyWith(250)
      await Promise.all([
        timePasses(server, LONGEST_WAIT_SECONDS),
        ...Array.from({ length: 8 }, () => resend(server, coach, 'p@club.test')),
      ])
      await server.deps.jobs.settled('mails')
      expect(smtp.delivered).toHaveLength(1 + REMINDERS_MAXIMUM)
      expect((await server.rows('instances'))[0]).toMatchObject({ resends: REMINDERS_MAXIMUM })
    })
  })
})
