import { describe, expect, onTestFinished, test } from 'vitest'
import { REMINDERS_MAXIMUM } from '#contract/constants.ts'
import type { InstanceStatus } from '#contract/rules/statuses.ts'
import { coachData, movableClock, signIn, type Reply, type Person } from '#tests/support/person.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'
import { Random } from '../../chaos/scheduler.ts'
import { allocate, allocatedTo, coachWith, complete, everyAnswer, giveTokens, reclaim, resend, save, tokensOf } from './support.ts'

/**
 * Random histories of allocating, reminding, reclaiming, answering and signing up are compared with a small model: every
 * reply is the one it expects, and after each step tokens, their rows, the ledger, the instances and the coach's list agree
 * (TOKENS-13). `SEED=42` replays one, `SEEDS=500` runs more.
 */
const SEEDS = Number(process.env.SEEDS ?? 4)
const FIRST = Number(process.env.SEED ?? 1)
const COUNT = process.env.SEED === undefined ? SEEDS : 1
const STEPS = 80

interface Given {
  id: string
  coach: Player
  email: string
  status: InstanceStatus
  resends: number
}
interface Player extends Person {
  bought: number
}

const isPending = ({ status }: Given) => status === 'ALLOCATED' || status === 'IN_PROGRESS'
/** 201 or 200, or the code of the refusal. */
const said = ({ status, body }: Reply<{ code?: string }>) => (status < 300 ? status : body.code)

class Club {
  readonly coaches: Player[] = []
  readonly given: Given[] = []
  /** the players who have signed up, by address */
  readonly players = new Map<string, Person>()
  readonly newCoaches = new Set<string>()
  readonly emails: string[]
  readonly server: TestServer
  readonly random: Random
  readonly clock: ReturnType<typeof movableClock>
  readonly name: string

  constructor(server: TestServer, clock: ReturnType<typeof movableClock>, seed: number) {
    this.server = server
    this.clock = clock
    this.random = new Random(seed)
    this.name = String(seed)
    const { name } = this
    this.emails = Array.from({ length: 6 }, (_, index) => `p${index}.${name}@club.test`)
  }

  async open(): Promise<void> {
    for (const index of [0, 1]) {
      const coach = await coachWith(this.server, `coach${index}.${this.name}@club.test`, 2)
      this.coaches.push({ ...coach, bought: 2 })
    }
  }

  available(coach: Player): number {
    return coach.bought - this.given.filter((one) => one.coach === coach && one.status !== 'RECLAIMED').length
  }

  async step(): Promise<string> {
    const what = this.random.pick([
      'give',
      'give',
      'give',
      'remind',
      'take',
      'take',
      'answer',
      'answer',
      'finish',
      'signUp',
      'buy',
    ] as const)
    this.clock.forward(this.random.below(20))
    await this[what]()
    return what
  }

  async buy(): Promise<void> {
    const coach = this.random.pick(this.coaches)
    coach.bought += 1
    await giveTokens(this.server, coach, 1)
  }

  async give(): Promise<void> {
    const coach = this.random.pick(this.coaches)
    const email = this.random.pick([...this.emails, ...this.emails, coach.email])
    const reply = await allocate(this.server, coach, this.random.chance(0.3) ? email.toUpperCase() : email, {
      ...(this.random.chance(0.5) ? { operationId: this.random.uuid() } : {}),
    })
    expect(said(reply)).toBe(this.#expectedReply(coach, email))
    if (reply.status === 201) this.given.push({ id: reply.body.instanceId, coach, email, status: 'ALLOCATED', resends: 0 })
  }

  #expectedReply(coach: Player, email: string): number | string {
    if (this.given.some((one) => one.coach === coach && one.email === email && isPending(one))) return 'ALREADY_ALLOCATED'
    if (this.available(coach) === 0) return 'NO_TOKENS_AVAILABLE'
    return email === coach.email || this.newCoaches.has(email) ? 'COACH_ALLOCATION_NOT_ALLOWED' : 201
  }

  async remind(): Promise<void> {
    const coach = this.random.pick(this.coaches)
    const email = this.random.pick(this.emails)
    const mine = this.given.filter((one) => one.coach === coach && one.email === email)
    const pending = mine.find(isPending)
    const isDone = mine.some(({ status }) => status === 'COMPLETED')
    const times = this.random.pick([1, 1, 4])
    for (let i = 0; i < times; i += 1) {
      const isAllowed = pending && pending.resends < REMINDERS_MAXIMUM
      const refusal = pending ? 'RESEND_LIMIT' : isDone ? 'ALREADY_COMPLETED' : 'NOT_FOUND'
      expect(said(await resend(this.server, coach, email))).toBe(isAllowed ? 200 : refusal)
      if (isAllowed) pending.resends += 1
    }
  }

  async take(): Promise<void> {
    if (this.given.length === 0) return
    const coach = this.random.pick(this.coaches)
    const one = this.random.pick(this.given)
    const seen = this.random.pick([undefined, 'ALLOCATED', 'IN_PROGRESS'])
    const outcomes: Record<string, number | string> = {
      ALLOCATED: 200,
      IN_PROGRESS: seen === 'ALLOCATED' ? 'PLAYER_HAS_BEGUN' : 200,
      COMPLETED: 'ALREADY_COMPLETED',
      RECLAIMED: 'ALREADY_RECLAIMED',
    }
    const expected = one.coach === coach ? outcomes[one.status] : 'NOT_FOUND'
    expect(said(await reclaim(this.server, coach, one.id, seen))).toBe(expected)
    if (expected === 200) one.status = 'RECLAIMED'
  }

  async answer(): Promise<void> {
    const held = this.#held()
    if (!held) return
    const [player, one] = held
    const outcomes = { COMPLETED: 'ALREADY_COMPLETED', RECLAIMED: 'INSTANCE_RECLAIMED' } as Record<string, string>
    const some = everyAnswer.slice(0, this.random.pick([4, 8]))
    expect(said(await save(this.server, player, one.id, some))).toBe(outcomes[one.status] ?? 200)
    if (isPending(one)) one.status = 'IN_PROGRESS'
  }

  async finish(): Promise<void> {
    const held = this.#held()
    if (!held) return
    const [player, one] = held
    if (isPending(one)) await save(this.server, player, one.id)
    expect(said(await complete(this.server, player, one.id))).toBe(one.status === 'RECLAIMED' ? 'INSTANCE_RECLAIMED' : 200)
    if (one.status !== 'RECLAIMED') one.status = 'COMPLETED'
  }

  /** A player who has signed up, and one of their instances. */
  #held(): [Person, Given] | undefined {
    const held = this.given.flatMap((one): [Person, Given][] => {
      const player = this.players.get(one.email)
      return player ? [[player, one]] : []
    })
    return held.length === 0 ? undefined : this.random.pick(held)
  }

  async signUp(): Promise<void> {
    const email = this.random.pick(this.emails)
    if (this.players.has(email) || this.newCoaches.has(email)) return
    if (this.random.chance(0.6)) {
      this.players.set(email, await signIn(this.server, email))
      return
    }
    await signIn(this.server, email, 'coach', coachData)
    this.newCoaches.add(email)
    for (const one of this.given) if (one.email === email && isPending(one)) one.status = 'RECLAIMED'
  }

  /** The server's replies agree with one another and with the model. */
  async check(): Promise<void> {
    for (const coach of this.coaches) {
      const available = this.available(coach)
      expect(await tokensOf(this.server, coach)).toEqual({ total: coach.bought, used: coach.bought - available, available })
      const rows = (await allocatedTo(this.server, coach)).map(({ instanceId, status }) => `${instanceId} ${status}`)
      const mine = this.given.filter((one) => one.coach === coach && one.status !== 'RECLAIMED')
      expect(rows.toSorted()).toEqual(mine.map(({ id, status }) => `${id} ${status}`).toSorted())
    }
  }
}

describe('any history of allocation', () => {
  test.each(Array.from({ length: COUNT }, (_, index) => FIRST + index))(
    'every reply and count agrees with the model (seed %i)',
    async (seed) => {
      // a history takes less than half an hour, so no access token expires
      const clock = movableClock()
      const server = await startServer({ database: 'embedded', clock, env: { MAILS_PER_HOUR: '1000', MAILS_PER_DAY: '1000' } })
      onTestFinished(() => server.close())
      const club = new Club(server, clock, seed)
      await club.open()
      const done = new Set<string>()
      for (let step = 0; step < STEPS; step += 1) {
        done.add(await club.step())
        await club.check()
      }
      expect(done.size).toBeGreaterThan(5)
      expect(club.given.length).toBeGreaterThan(3)
    },
    120_000,
  )
})
