import type { Instance } from '#contract/instances.ts'
import { allocate, complete, coachWith, everyAnswer, save, tokensOf, type Said } from '#tests/server/instances/support.ts'
import { ask, signIn, type Answer, type Person } from '#tests/support/person.ts'
import type { TestServer } from '#tests/support/start-server.ts'

/** People who go on with what they do whatever the server answers, and what the server told each of them it has. */
export interface Load {
  /** of what was told, how often */
  counts: () => Readonly<Record<Deed, number>>
  /** answers other than done and "not now"; there may be none */
  oddities: () => readonly string[]
  /** how often somebody was told "not now" */
  refusals: () => number
  /** everybody ends what they began; what may be wrong with what they were told */
  end: () => Promise<string[]>
}

export type Deed = 'sign-in' | 'refresh' | 'save' | 'complete' | 'allocation'

const TOKENS = 400

/** Begins a load of people of its own; nothing may be broken yet. */
export async function beginLoad(server: TestServer, round: number): Promise<Load> {
  const counts: Record<Deed, number> = { 'sign-in': 0, refresh: 0, save: 0, complete: 0, allocation: 0 }
  const oddities: string[] = []
  let refusals = 0
  const ending = new AbortController()
  const name = (what: string) => `${what}.${round}@chaos.test`

  /** Whether it was done. Nothing but "not now" may come instead, however broken everything is. */
  const done = (deed: Deed, { status, text, headers }: Answer<unknown>) => {
    if (status < 300) counts[deed] += 1
    else if (status === 503 && headers.get('retry-after') !== null) refusals += 1
    else oddities.push(`${deed}: ${status} ${text}`)
    return status < 300
  }

  /** Again and again, and when it failed a little later, as people do. */
  const goOn = async (one: (turn: number) => Promise<boolean>) => {
    for (let turn = 0; !ending.signal.aborted; turn += 1) if (!(await one(turn))) await new Promise((resolve) => setTimeout(resolve, 50))
  }

  const [saver, finisher, keeper, coach] = await Promise.all([
    signIn(server, name('saver')),
    signIn(server, name('finisher')),
    signIn(server, name('keeper')),
    coachWith(server, name('coach'), TOKENS),
  ])
  const instanceId = await server.giveInstance(saver)

  const signIns = () =>
    goOn(async (turn) => {
      const email = name(`new${turn}`)
      const begun = await ask<{ session: string }>(server, 'POST', 'user/auth/initiate', { body: { email, userTypeCode: 'player' } })
      if (!done('sign-in', begun)) return false
      const body = { session: begun.body.session, email, otp: server.codeFor(email) }
      return done('sign-in', await ask(server, 'POST', 'user/auth/verify-otp', { body }))
    })

  let refreshToken = keeper.refreshToken
  const refresh = async () => {
    const answer = await ask<Person>(server, 'POST', 'user/auth/refresh', { body: { refreshToken } })
    // an answer that never came is asked for again with the same token
    if (answer.status === 200) refreshToken = answer.body.refreshToken
    return done('refresh', answer)
  }

  /** of each item, what the server may have: what it said it has, and what was sent since without an answer */
  const may = new Map<string, Set<string | null>>()
  const saves = () =>
    goOn(async (turn) => {
      const item = everyAnswer[turn % everyAnswer.length]
      if (!item) throw new Error('there are no questions')
      const answer = Math.floor(turn / everyAnswer.length) % 2 === 0 ? item.answer : null
      const before = may.get(item.id) ?? new Set([null])
      may.set(item.id, new Set([...before, answer]))
      const isDone = done('save', await save(server, saver, instanceId, [{ ...item, answer }]))
      if (isDone) may.set(item.id, new Set([answer]))
      return isDone
    })

  const completed: string[] = []
  const finishes = () =>
    goOn(async () => {
      const id = await server.giveInstance(finisher).catch(() => undefined)
      if (id === undefined || !done('save', await save(server, finisher, id))) return false
      const isDone = done('complete', await complete(server, finisher, id))
      if (isDone) completed.push(id)
      return isDone
    })

  const allocated: string[] = []
  const unanswered: [email: string, operationId: string][] = []
  const give = async (email: string, operationId: string) => {
    const answer = await allocate(server, coach, email, { operationId })
    const isDone = done('allocation', answer)
    if (isDone) allocated.push(answer.body.instanceId)
    return isDone
  }
  const allocations = () =>
    goOn(async (turn) => {
      const [email, operationId] = [name(`given${turn}`), crypto.randomUUID()] as const
      const isDone = turn >= TOKENS - 1 || (await give(email, operationId))
      if (!isDone) unanswered.push([email, operationId])
      return isDone && turn < TOKENS - 1
    })

  const people = [signIns(), goOn(refresh), saves(), finishes(), allocations()]

  const end = async () => {
    ending.abort()
    await Promise.all(people)
    const wrong: string[] = []
    // whoever was told nothing asks again, and is told once
    for (const [email, operationId] of unanswered)
      if (!(await give(email, operationId))) wrong.push(`no answer to the allocation for ${email}`)
    if (!(await refresh())) wrong.push('the session is lost')
    const rows = new Map((await server.rows('instances')).map((row) => [row['id'], row]))
    for (const id of allocated) if (rows.get(id)?.['coach_id'] !== coach.userId) wrong.push(`allocation ${id} is gone`)
    for (const id of completed) {
      const row = rows.get(id)
      if (row?.['status'] !== 'COMPLETED' || !row['results']) wrong.push(`completion of ${id} is gone`)
    }
    const read = await ask<Instance & Said>(server, 'GET', `assessment/assessment-instance/${instanceId}`, { bearer: saver.accessToken })
    for (const [item, values] of may) {
      const has = read.body.responses.find(({ id }) => id === item)?.answer ?? null
      if (!values.has(has)) wrong.push(`${item} is ${has}, and may be ${[...values].join()}`)
    }
    // fails when balance, ledger and instances disagree
    const { used } = await tokensOf(server, coach)
    if (used !== new Set(allocated).size) wrong.push(`${used} tokens are used, ${new Set(allocated).size} allocations were told`)
    return wrong
  }
  return { counts: () => counts, oddities: () => oddities, refusals: () => refusals, end }
}
