import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { api } from '#contract/api.ts'
import type { Refusal } from '#contract/errors.ts'
import type { Profile } from '#contract/users.ts'
import { instances } from '#server/db/schema/instances.ts'
import { ask, movableClock } from '#tests/support/person.ts'
import { givenServer, startServer } from '#tests/support/start-server.ts'
import { CONTENT_VERSION } from '../instances/support.ts'
import { countsOf, grantTokens, listOf, newCoach, spendOn, type Coach, type TokenList } from './support.ts'

describe('a coach’s tokens', () => {
  const clock = movableClock()
  const hoursAgo = (hours: number) => new Date(clock.now().getTime() - hours * 3_600_000)
  const server = givenServer({ clock })
  let coach: Coach
  /** instance ids by the player's name, in the order of allocation */
  const given: Record<string, string> = {}
  beforeAll(async () => {
    coach = await newCoach(server)
    await grantTokens(server, coach.userId, 8)
    const { db } = server.deps
    for (const [place, name] of ['anna', 'ben', 'chloe', 'dan', 'emma', 'finn'].entries()) {
      given[name] = (await spendOn(db, coach.userId, `${name}@club.test`, hoursAgo(20 - place))) ?? ''
    }
    for (const [name, hours] of [
      ['ben', 2],
      ['dan', 1],
      ['emma', 3],
    ] as const) {
      await db.execute(
        `update instances set status = 'COMPLETED', results = '{}', completed_at = '${hoursAgo(hours).toISOString()}' where id = '${given[name]}'`,
      )
    }
    await db.execute(`update instances set status = 'RECLAIMED', reclaimed_at = now() where id = '${given['chloe']}'`)
    await db.execute(sql`update token_balances set used = used - 1 where coach_id = ${coach.userId}`)
    await db
      .update(instances)
      .set({ status: 'IN_PROGRESS', invitedAt: clock.now() })
      .where(eq(instances.id, given['anna'] ?? ''))
  })

  it('are listed pending first, oldest first; then unused; then completed, newest first', async () => {
    const list = await listOf(coach)
    expect(countsOf(list)).toEqual({ total: 8, used: 5, available: 3 })
    expect(list.tokens.map(({ index, status, assignedTo }) => [index, status, assignedTo])).toEqual([
      [1, 'PENDING', 'anna@club.test'],
      [2, 'PENDING', 'finn@club.test'],
      [3, 'AVAILABLE', null],
      [4, 'AVAILABLE', null],
      [5, 'AVAILABLE', null],
      [6, 'COMPLETED', 'dan@club.test'],
      [7, 'COMPLETED', 'ben@club.test'],
      [8, 'COMPLETED', 'emma@club.test'],
    ])
  })

  it('are paged: rows and their numbers are those of the whole list, and so are the counts', async () => {
    const whole = await listOf(coach)
    const pages: TokenList[] = []
    for (const page of [1, 2, 3, 4]) {
      const { body } = await ask<TokenList>(server, 'GET', `tokens?page=${page}&limit=3`, { bearer: coach.accessToken })
      expect(countsOf(body)).toEqual(countsOf(whole))
      pages.push(body)
    }
    expect(pages.map(({ tokens }) => tokens.length)).toEqual([3, 3, 2, 0])
    expect(pages.flatMap(({ tokens }) => tokens)).toEqual(whole.tokens)
    for (const query of ['limit=0', 'limit=1001', 'page=0&limit=3', 'page=x']) {
      const { status } = await ask<Refusal>(server, 'GET', `tokens?${query}`, { bearer: coach.accessToken })
      expect(status).toBe(400)
    }
  })

  it('have the instance, its status and the date of the invitation', async () => {
    const [anna, finn, unused] = (await listOf(coach)).tokens
    const named = { assessmentId: 'touchline-profile', userId: null }
    expect(anna).toMatchObject({ ...named, instanceId: given['anna'], instanceStatus: 'IN_PROGRESS', dateSent: clock.now().toISOString() })
    expect(finn).toMatchObject({ ...named, instanceId: given['finn'], instanceStatus: 'ALLOCATED', dateSent: hoursAgo(15).toISOString() })
    expect(unused).toMatchObject({ assessmentId: null, userId: null, instanceId: null, instanceStatus: null, dateSent: null })
  })

  it('are visible to that coach only', async () => {
    const other = await newCoach(server)
    expect(await listOf(other)).toEqual({ total: 0, used: 0, available: 0, owed: 0, tokens: [] })
    const asked = (userId: string) =>
      ask<TokenList & Refusal>(server, 'GET', `${api.tokens.list.path}?userId=${userId}`, { bearer: coach.accessToken })
    expect((await asked(coach.userId)).body.total).toBe(8)
    expect(await asked(other.userId)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  })

  it('are counted in the coach’s own profile, when it is read and when it is changed', async () => {
    const path = `user/${coach.userId}`
    const bearer = coach.accessToken
    const got = await ask<Profile>(server, 'GET', path, { bearer })
    const changed = await ask<Profile>(server, 'PATCH', path, { bearer, body: { firstName: 'Alexandra' } })
    for (const { body } of [got, changed]) expect(body).toMatchObject({ totalTokens: 8, usedTokens: 5 })
  })
})

describe('a coach with 5,000 tokens among 1,000 others', () => {
  it('is read by the index, without a scan of all instances', async () => {
    const server = await startServer()
    try {
      const coach = await newCoach(server)
      const { db } = server.deps
      await db.execute(sql`insert into users (id, email, email_normal, user_type, created_at)
        select gen_random_uuid(), n || '@many.test', n || '@many.test', 'coach', now() from generate_series(1, 1000) n`)
      await db.execute(sql`insert into token_balances (coach_id, total, used)
        select id, 20, 10 from users where email like '%@many.test'`)
      const rows = (of: typeof sql.empty) => sql`insert into instances
          (id, assessment_id, content_version, email, email_normal, coach_id, status, allocated_at, created_at)
        select gen_random_uuid(), 'touchline-profile', ${CONTENT_VERSION}, n || '@p.test', n || '@p.test', ${of()}, 'ALLOCATED', now(), now()`
      await db.execute(sql`${rows(() => sql`id`)} from users, generate_series(1, 10) n where email like '%@many.test'`)
      await db.execute(sql`insert into token_balances (coach_id, total, used) values (${coach.userId}, 5000, 4000)`)
      await db.execute(sql`${rows(() => sql`${coach.userId}::uuid`)} from generate_series(1, 4000) n`)
      await db.execute(sql`analyze`)
      const list = await listOf(coach)
      expect(list).toMatchObject({ total: 5000, used: 4000, available: 1000 })
      expect(list.tokens).toHaveLength(5000)
      const { rows: plan } = await db.execute(sql`explain select b.total, b.used, i.id from token_balances b
        left join instances i on i.coach_id = b.coach_id and i.status <> 'RECLAIMED' where b.coach_id = ${coach.userId}`)
      const text = JSON.stringify(plan)
      expect(text).toContain('instances_coach')
      expect(text).not.toContain('Seq Scan on instances')
    } finally {
      await server.close()
    }
  })
})
