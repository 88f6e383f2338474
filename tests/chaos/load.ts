import { setTimeout as delay } from 'node:timers/promises'
import type { Instance } from '#contract/instances.ts'
import { allocate, complete, coachWith, everyAnswer, save, tokensOf, type Said } from '#tests/server/instances/support.ts'
import { ask, signIn, type Reply, type Person } from '#tests/support/person.ts'
import type { TestServer } from '#tests/support/start-server.ts'

/** People who repeat their calls whatever the server replies, and a record of what the server confirmed to each of them. */
export interface Load {
  /** how often each kind of call was confirmed */
  counts: () => Readonly<Record<CallKind, number>>
  /** replies other than a success and a 503 with Retry-After; a test expects none */
  unexpectedReplies: () => readonly string[]
  /** how many calls were refused with 503 and Retry-After */
  refusals: () => number
  /** ends all calls; resolves to what was confirmed but is not stored */
  end: () => Promise<string[]>
}

export type CallKind = 'sign-in' | 'refresh' | 'save' | 'complete' | 'allocation'

const TOKENS = 400

/** Signs in its own people and begins their calls. The server must still work. */
export async function beginLoad(server: TestServer, round: number): Promise<Load> {
  const counts: Record<CallKind, number> = { 'sign-in': 0, refresh: 0, save: 0, complete: 0, allocation: 0 }
  const unexpectedReplies: string[] = []
  let refusals = 0
  const ending = new AbortController()
  const addressOf = (what: string) => `${what}.${round}@chaos.test`

  /** Whether the call succeeded. Any other reply must be a 503 with Retry-After. */
  const isConfirmed = (kind: CallKind, { status, text, headers }: Reply<unknown>) => {
    if (status < 300) counts[kind] += 1
    else if (status === 503 && headers.get('retry-after') !== null) refusals += 1
    else unexpectedReplies.push(`${kind}: ${status} ${text}`)
    return status < 300
  }

  /** Repeats a call until the end, with a pause after each failure. */
  const repeat = async (one: (turn: number) => Promise<boolean>) => {
    for (let turn = 0; !ending.signal.aborted; turn += 1) if (!(await one(turn))) await delay(50)
  }

  const [saver, finisher, refresher, coach] = await Promise.all([
    signIn(server, addressOf('saver')),
    signIn(server, addressOf('finisher')),
    signIn(server, addressOf('keeper')),
    coachWith(server, addressOf('coach'), TOKENS),
  ])
  const instanceId = await server.giveInstance(saver)

  const signIns = () =>
    repeat(async (turn) => {
      const email = addressOf(`new${turn}`)
      const begun = await ask<{ session: string }>(server, 'POST', 'user/auth/initiate', { body: { email, userTypeCode: 'player' } })
      if (!isConfirmed('sign-in', begun)) return false
      const body = { session: begun.body.session, email, otp: server.codeFor(email) }
      return isConfirmed('sign-in', await ask(server, 'POST', 'user/auth/verify-otp', { body }))
    })

  let refreshToken = refresher.refreshToken
  const refresh = async () => {
    const reply = await ask<Person>(server, 'POST', 'user/auth/refresh', { body: { refreshToken } })
    // without a reply the same token is used again
    if (reply.status === 200) refreshToken = reply.body.refreshToken
    return isConfirmed('refresh', reply)
  }

  /** the values of each item that the server may have: the last confirmed one, and those sent since without a confirmation */
  const possible = new Map<string, Set<string | null>>()
  const saves = () =>
    repeat(async (turn) => {
      const item = everyAnswer[turn % everyAnswer.length]
      if (!item) throw new Error('there are no questions')
      const answer = Math.floor(turn / everyAnswer.length) % 2 === 0 ? item.answer : null
      const before = possible.get(item.id) ?? new Set([null])
      possible.set(item.id, new Set([...before, answer]))
      const isDone = isConfirmed('save', await save(server, saver, instanceId, [{ ...item, answer }]))
      if (isDone) possible.set(item.id, new Set([answer]))
      return isDone
    })

  const confirmedCompletions: string[] = []
  const finishes = () =>
    repeat(async () => {
      const id = await server.giveInstance(finisher).catch(() => undefined)
      if (id === undefined || !isConfirmed('save', await save(server, finisher, id))) return false
      const isDone = isConfirmed('complete', await complete(server, finisher, id))
      if (isDone) confirmedCompletions.push(id)
      return isDone
    })

  const confirmedAllocations: string[] = []
  const unconfirmed: [email: string, operationId: string][] = []
  const allocateTo = async (email: string, operationId: string) => {
    const reply = await allocate(server, coach, email, { operationId })
    const isDone = isConfirmed('allocation', reply)
    if (isDone) confirmedAllocations.push(reply.body.instanceId)
    return isDone
  }
  const allocations = () =>
    repeat(async (turn) => {
      const [email, operationId] = [addressOf(`given${turn}`), crypto.randomUUID()] as const
      const isDone = turn >= TOKENS - 1 || (await allocateTo(email, operationId))
      if (!isDone) unconfirmed.push([email, operationId])
      return isDone && turn < TOKENS - 1
    })

  const people = [signIns(), repeat(refresh), saves(), finishes(), allocations()]

  const end = async () => {
    ending.abort()
    await Promise.all(people)
    const losses: string[] = []
    // an unconfirmed allocation is repeated with the same operation id, which must not allocate twice
    for (const [email, operationId] of unconfirmed)
      if (!(await allocateTo(email, operationId))) losses.push(`the allocation for ${email} is not confirmed`)
    if (!(await refresh())) losses.push('the session is lost')
    const rows = new Map((await server.rows('instances')).map((row) => [row['id'], row]))
    for (const id of confirmedAllocations) if (rows.get(id)?.['coach_id'] !== coach.userId) losses.push(`allocation ${id} is lost`)
    for (const id of confirmedCompletions) {
      const row = rows.get(id)
      if (row?.['status'] !== 'COMPLETED' || !row['results']) losses.push(`completion of ${id} is lost`)
    }
    const read = await ask<Instance & Said>(server, 'GET', `assessment/assessment-instance/${instanceId}`, { bearer: saver.accessToken })
    for (const [item, values] of possible) {
      const has = read.body.responses.find(({ id }) => id === item)?.answer ?? null
      if (!values.has(has)) losses.push(`${item} is ${has}, and may be ${[...values].join()}`)
    }
    // tokensOf fails when balance, ledger and instances disagree
    const { used } = await tokensOf(server, coach)
    if (used !== new Set(confirmedAllocations).size)
      losses.push(`${used} tokens are used, ${new Set(confirmedAllocations).size} allocations were confirmed`)
    return losses
  }
  return { counts: () => counts, unexpectedReplies: () => unexpectedReplies, refusals: () => refusals, end }
}
