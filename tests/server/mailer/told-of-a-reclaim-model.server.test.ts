import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ask } from '#tests/support/person.ts'
import { LONGEST_WAIT_SECONDS, timePasses } from '#tests/support/jobs.ts'
import { allocate, giveTokens, reclaim, resend, tokensOf } from '#tests/server/instances/support.ts'
import { coachWithMail } from './coach-with-mail.ts'

/**
 * Allocations, reclaims, corrections and reminders of one coach, one after the other, and whatever the mail server says to each: the player who
 * has an invitation that is worth nothing now is told once, and not while the assessment is theirs. MAIL-7, docs/decisions/0039
 */

/** What the mail server does from then on: takes mails, defers them, refuses them for good, or takes them and says nothing. */
const mode = fc.constantFrom('accept', 'defer', 'defer', 'refuse', 'cut', 'as before', 'as before')
/** `change`: gives the assessment, or takes it back if it is given. */
const act = fc.oneof(
  { weight: 6, arbitrary: fc.constant('change' as const) },
  { weight: 2, arbitrary: fc.constantFrom('correct' as const, 'remind' as const, 'wait' as const) },
)
const plan = fc.array(fc.record({ mode, act }), { minLength: 3, maxLength: 10 })
type Plan = typeof plan extends fc.Arbitrary<infer Steps> ? Steps : never

type Kind = 'invitation' | 'taken back'

type Given = Awaited<ReturnType<typeof coachWithMail>>

let players = 0

/** What one player gets, and whether the assessment is theirs at the end. */
async function play({ server, smtp, clock, coach }: Given, steps: Plan) {
  players += 1
  const [address, right] = [`p${players}@club.test`, `q${players}@club.test`]
  let pending: string | undefined
  /** how many mails had arrived when the pending allocation was made */
  let arrivedBefore = 0
  let corrected = 0
  /** the owner of a wrong address is not told */
  let hasWrongInvitation = false
  const settle = async () => {
    await server.deps.jobs.settled('mails')
    await server.deps.jobs.settled('mails')
  }
  const arrived = (): Kind[] => {
    const own = smtp.delivered.filter(({ to }) => to === address)
    const once = new Map(own.map((mail) => [mail.headers['message-id'], mail]))
    return [...once.values()].map(({ subject }) => (subject.includes('taken an assessment back') ? 'taken back' : 'invitation'))
  }
  const wait = async () => {
    await timePasses(server, LONGEST_WAIT_SECONDS)
    await settle()
  }
  const reply = {
    accept: () => smtp.replyWith(250),
    defer: () => smtp.replyWith(451),
    refuse: () => smtp.replyWith(550),
    cut: () => smtp.cutReplies(),
    'as before': () => undefined,
  }
  for (const { mode, act } of steps) {
    clock.forward(1)
    reply[mode]()
    if (act === 'wait') await wait()
    else if (act === 'change' && pending === undefined) {
      arrivedBefore = arrived().length
      const allocated = await allocate(server, coach, address)
      // after six mails in a week
      if (allocated.body.code === 'ADDRESS_LIMIT') continue
      expect(allocated.status).toBe(201)
      pending = allocated.body.instanceId
    } else if (act === 'change') {
      expect((await reclaim(server, coach, pending ?? '')).status).toBe(200)
      pending = undefined
    } else if (act === 'remind' && pending !== undefined) await resend(server, coach, address)
    else if (act === 'correct' && pending !== undefined && corrected === 0) {
      const path = `assessment/assessment-instance/${pending}/correct-address`
      expect((await ask(server, 'POST', path, { bearer: coach.accessToken, body: { playerEmail: right } })).status).toBe(201)
      pending = undefined
      corrected = 1
      hasWrongInvitation = arrived().length > arrivedBefore
    }
    await settle()
    // nobody is told that what is theirs was taken back
    if (pending !== undefined) expect(arrived().slice(arrivedBefore)).not.toContain('taken back')
  }
  smtp.replyWith(250)
  clock.forward(1)
  for (let waits = 0; waits < 3; waits += 1) await wait()
  const rows = await server.rows('mails')
  const isRefused = rows.some((row) => row['to'] === address && row['kind'] === 'taken-back' && Number(row['refusals']) > 0)
  return {
    mails: arrived(),
    sinceAllocation: arrived().slice(arrivedBefore),
    isTheirs: pending !== undefined,
    isRefused,
    hasWrongInvitation,
    corrected,
  }
}

test('whoever has a worthless invitation is told once, whatever came before', async () => {
  const given = await coachWithMail({ env: { MAILS_PER_HOUR: '10000' } })
  // more than all runs use
  await giveTokens(given.server, given.coach, 1000)
  let used = 0
  await fc.assert(
    fc.asyncProperty(plan, async (steps) => {
      const { mails, sinceAllocation, isTheirs, isRefused, hasWrongInvitation, corrected } = await play(given, steps)
      used += corrected + (isTheirs ? 1 : 0)
      expect(await tokensOf(given.server, given.coach)).toMatchObject({ used })
      const firstTold = mails.indexOf('taken back')
      // nobody is told before there was an invitation
      if (firstTold !== -1) expect(mails.slice(0, firstTold)).toContain('invitation')
      // one such mail a week from a coach
      expect(mails.filter((kind) => kind === 'taken back').length).toBeLessThanOrEqual(1)
      if (isTheirs) expect(sinceAllocation).not.toContain('taken back')
      else if (mails.includes('invitation') && !isRefused && !hasWrongInvitation) expect(mails).toContain('taken back')
    }),
    { numRuns: 20, interruptAfterTimeLimit: 90_000 },
  )
}, 120_000)
