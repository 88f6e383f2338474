import { beforeAll, describe, expect, it } from 'vitest'
import { api } from '#contract/api.ts'
import type { AllocatedInstance } from '#contract/instances.coach.ts'
import { seedDemo } from '#sandbox/demo-accounts/accounts.ts'
import { hashOfAllRows } from '#tests/support/every-row.ts'
import { signIn } from '#tests/support/person.ts'
import { engines } from '#tests/support/databases.ts'
import { givenServer } from '#tests/support/start-server.ts'
import { callsOf } from '#tests/server/payments/support.ts'
import { booksOf, countsOf, expectSound, listOf, type Coach } from '#tests/server/tokens/support.ts'

describe.each(engines)('the demo accounts (%s)', (database) => {
  const server = givenServer({ database, hasDemoAccounts: true })
  let coach: Coach
  beforeAll(async () => {
    const person = await signIn(server, 'coach@demo.test', 'coach')
    coach = { ...person, calls: callsOf(server, person.accessToken) }
  })

  it('are created once, with three assessments that came from no coach', async () => {
    const before = await hashOfAllRows(server)
    await seedDemo(server.deps.db, server.deps.env, new Date())
    expect(await hashOfAllRows(server)).toEqual(before)
    const own = (await server.rows('instances')).filter((row) => row['coach_id'] === null)
    expect(own.map((row) => String(row['status'])).toSorted()).toEqual(['COMPLETED', 'IN_PROGRESS', 'OWNED'])
  })

  it('have a coach with 32 tokens, 20 of them used, and a consistent ledger', async () => {
    const list = await listOf(coach)
    expect(countsOf(list)).toEqual({ total: 32, used: 20, available: 12 })
    expectSound(await booksOf(server.deps.db, coach.userId))
    const pending = list.tokens.filter((row) => row.status === 'PENDING')
    expect(pending.map((row) => row.instanceStatus).toSorted()).toEqual([...Array(7).fill('ALLOCATED'), ...Array(5).fill('IN_PROGRESS')])
    // a row names no player until the brief is opened, even if the player has an account
    expect(pending.filter((row) => row.userId === null)).toHaveLength(7)
    expect(list.tokens.every(({ dateSent }) => dateSent === null || new Date(dateSent) < new Date())).toBe(true)
  })

  it('have players of different types, and caused no mail', async () => {
    const { body } = await coach.calls<{ assessments: AllocatedInstance[] }>(api.instances.allocated)
    const completed = body.assessments.filter(({ status }) => status === 'COMPLETED')
    expect(completed).toHaveLength(8)
    expect(new Set(completed.map(({ results }) => `${results?.Section1.result} ${results?.section2.label}`)).size).toBeGreaterThan(6)
    expect((await server.rows('mails')).filter((mail) => mail['instance_id'] !== null)).toEqual([])
    expect(server.mails(body.assessments[0]?.userEmail ?? '')).toEqual([])
  })

  it('let a player sign in and find the assessment in progress', async () => {
    const emma = await signIn(server, 'emma.fortin@demo.test')
    const { body } = await callsOf(server, emma.accessToken)<{ data: { status: string; coachLastName: string }[] }>(api.instances.list)
    expect(body.data).toMatchObject([{ status: 'IN_PROGRESS', coachLastName: 'Bergeron' }])
  })
})
