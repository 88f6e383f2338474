import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { instances } from '#server/db/schema/instances.ts'
import { orders } from '#server/db/schema/orders.ts'
import { sessions, signInCounts } from '#server/db/schema/sign-in.ts'
import { allocateInstance } from '#server/instances/allocation-store.ts'
import { grantInstance } from '#server/instances/store.ts'
import { addPicture } from '#server/pictures/store.ts'
import { applyRefresh } from '#server/auth/sessions-store.ts'
import { signIn as signInWithCode } from '#server/auth/sign-in-store.ts'
import { startChallenge, undoSending } from '#server/auth/store.ts'
import { storeMarks } from '#server/marks/store.ts'
import { changeUser, createOrReopen, eraseAccount } from '#server/users/store.ts'
import { addTokens } from '#server/ledger/store.ts'
import { addOwnedInstance, fulfilOnce } from '#server/payments/store.ts'
import { signIn, type Person } from '#tests/support/person.ts'
import { markClosed } from '#tests/support/closed-account.ts'
import { engines } from '#tests/support/databases.ts'
import { givenServer } from '#tests/support/start-server.ts'
import { allocate, ASSESSMENT, coachWith, complete, CONTENT_VERSION, save } from '../instances/support.ts'

/** An erasure comes before or after what others write at that moment. PRIVACY-5, PRIVACY-12 */
// the embedded database has one connection, so two transactions cannot overlap
describe.runIf(engines.includes('postgres'))('an erasure concurrent with other writes', () => {
  const server = givenServer({ database: 'postgres', env: { MAILS_PER_HOUR: '1000', MAILS_PER_DAY: '1000' } })
  let count = 0
  let coach: Person

  beforeEach(async () => {
    count += 1
    coach = await coachWith(server, `coach${count}@club.test`, 5)
  })

  const now = () => server.deps.clock.now()
  const player = (name = 'player') => signIn(server, `${name}${count}@club.test`)
  /** other test files use other databases of the same cluster */
  async function waiting(): Promise<number> {
    const own = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (await server.deps.db.execute(own)).rows.length
  }

  /** The person is erased while `write`, which had begun before, waits for that, unless it is refused at once. */
  async function eraseDuring<T>({ userId }: Person, write: () => Promise<T>): Promise<PromiseSettledResult<T>> {
    const { db, jobs } = server.deps
    await jobs.settled('mails')
    await markClosed(db, userId, now())
    const begun = await db.transaction(async (tx) => {
      // an erasure writes to the audit log last
      await tx.execute(sql`select 1 from audit_heads for update`)
      const erasing = eraseAccount(db, userId, now(), now())
      await expect.poll(waiting).toBe(1)
      let isOver = false
      const writing = Promise.allSettled([write()]).finally(() => (isOver = true))
      await expect.poll(async () => isOver || (await waiting()) === 2).toBe(true)
      // in an object, because the transaction would wait for a promise
      return { erasing, writing }
    })
    await begun.erasing
    const [outcome] = await begun.writing
    return outcome
  }

  test('of a coach does not deadlock with that of a player who has several of that coach’s assessments', async () => {
    const { db } = server.deps
    const { userId, email } = await player()
    const given = { assessmentId: ASSESSMENT, contentVersion: CONTENT_VERSION, userId, email, emailNormal: email, coachId: coach.userId }
    const over = { status: 'RECLAIMED', allocatedAt: now(), reclaimedAt: now(), createdAt: now() } as const
    const [first = '', last = ''] = [crypto.randomUUID(), crypto.randomUUID()].toSorted()
    // stored in another order than that of their ids
    for (const id of [last, first]) await db.insert(instances).values({ id, ...given, ...over })
    for (const id of [userId, coach.userId]) await markClosed(db, id, now())
    const begun = await db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from instances where id = ${first} for update`)
      const erasing = [eraseAccount(db, userId, now(), now())]
      await expect.poll(waiting).toBe(1)
      erasing.push(eraseAccount(db, coach.userId, now(), now()))
      await expect.poll(waiting).toBe(2)
      return { erasing }
    })
    await Promise.all(begun.erasing)
  })

  test('of a coach does not deadlock with the sign-up of somebody who has several of that coach’s assessments', async () => {
    const { db } = server.deps
    const email = `new${count}@club.test`
    const given = { assessmentId: ASSESSMENT, contentVersion: CONTENT_VERSION, email, emailNormal: email, coachId: coach.userId }
    const over = { status: 'RECLAIMED', allocatedAt: now(), reclaimedAt: now(), createdAt: now() } as const
    const [first = '', last = ''] = [crypto.randomUUID(), crypto.randomUUID()].toSorted()
    for (const id of [last, first]) await db.insert(instances).values({ id, ...given, ...over })
    await markClosed(db, coach.userId, now())
    const begun = await db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from instances where id = ${first} for update`)
      const erased = eraseAccount(db, coach.userId, now(), now())
      await expect.poll(waiting).toBe(1)
      const made = createOrReopen(db, { id: crypto.randomUUID(), email, userType: 'player' }, now())
      await expect.poll(waiting).toBe(2)
      return { erased, made }
    })
    await begun.erased
    expect(await begun.made).toMatchObject({ email })
  })

  test('leaves no profile, picture or sign-in that is written meanwhile', async () => {
    const { db } = server.deps
    const [named, pictured, signedIn] = [await player('a'), await player('b'), await player('c')]
    const { userId } = pictured
    const picture = { id: crypto.randomUUID(), userId, file: 'me.jpg', name: 'me', documentFormat: 'jpg', sizeBytes: 1, createdAt: now() }
    const session = { id: crypto.randomUUID(), salt: '', client: '', agent: 'Safari' }
    const person = { id: crypto.randomUUID(), firstName: null, lastName: null, city: null, country: null }
    const asking = { device: '', client: '', purpose: 'sign-in', userType: 'player', language: 'en' } as const
    const start = { ...person, codeHmac: '', email: signedIn.email, ...asking }
    const started = await startChallenge(db, start, server.deps.env.limits, now())
    if (started.kind !== 'send') throw new Error('no code')
    const { challenge } = started
    const newPerson = { id: crypto.randomUUID(), firstName: null, lastName: null, countryId: null, cityId: null }
    const written = [
      await eraseDuring(named, () => changeUser(db, named.userId, { firstName: 'Noa' })),
      await eraseDuring(pictured, () => addPicture(db, picture)),
      await eraseDuring(signedIn, () => signInWithCode(db, { challenge, person: newPerson, session }, now())),
    ]
    expect(written).toEqual([undefined, undefined, { kind: 'used' }].map((value) => ({ status: 'fulfilled', value })))
    expect((await server.rows('users')).filter(({ first_name }) => first_name === 'Noa')).toEqual([])
    expect(await server.rows('pictures')).toEqual([])
    expect((await server.rows('sessions')).filter(({ agent }) => agent === 'Safari')).toEqual([])
  })

  test('leaves no counts when the mail with a code is given up after it', async () => {
    const { db, env } = server.deps
    const { userId, email } = await player('given-up')
    const noProfile = { firstName: null, lastName: null, city: null, country: null }
    const asking = { device: '~somewhere', client: 'phone', purpose: 'sign-in', userType: 'player', language: 'en' } as const
    const started = await startChallenge(db, { id: crypto.randomUUID(), codeHmac: '', email, ...noProfile, ...asking }, env.limits, now())
    if (started.kind !== 'send') throw new Error(started.kind)
    await eraseAccount(db, userId, now())
    await undoSending(db, started.challenge, null)
    expect(JSON.stringify(await server.rows('sign_in_counts'))).not.toContain(email)
  })

  test('leaves no mail about a session that is ended meanwhile', async () => {
    const { db } = server.deps
    const { userId, email } = await player('ended')
    const [session] = await db.select().from(sessions).where(eq(sessions.userId, userId))
    if (!session) throw new Error('nobody is signed in')
    const { id, client, agent } = session
    for (const counter of [0, 1]) await applyRefresh(db, id, counter, { client, agent }, now())
    const begun = await db.transaction(async (tx) => {
      // the end of a session writes to the audit log last
      await tx.execute(sql`select 1 from audit_heads for update`)
      const ended = applyRefresh(db, id, 0, { client, agent }, new Date(now().getTime() + 61_000))
      await expect.poll(waiting).toBe(1)
      const erased = eraseAccount(db, userId, now())
      await expect.poll(waiting).toBe(2)
      return { ended, erased }
    })
    expect([await begun.ended, await begun.erased]).toEqual([{ kind: 'replay' }, true])
    expect(JSON.stringify(await server.rows('mails'))).not.toContain(email)
  })

  test('does not deadlock with a sign-in that is being counted', async () => {
    const { db, env } = server.deps
    const { userId, email } = await player('counted')
    // stored in another order than that in which a sign-in locks them
    const [all, address, own] = ['*', '~somewhere', '@phone']
    await db.delete(signInCounts).where(eq(signInCounts.emailNormal, email))
    for (const device of [all, address, own]) await db.insert(signInCounts).values({ emailNormal: email, device })
    const noProfile = { firstName: null, lastName: null, city: null, country: null }
    const asking = { device: address, client: 'phone', purpose: 'sign-in', userType: 'player', language: 'en' } as const
    const start = { id: crypto.randomUUID(), codeHmac: '', email, ...noProfile, ...asking }
    const begun = await db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from sign_in_counts where email_normal = ${email} and device = ${address} for update`)
      const started = startChallenge(db, start, env.limits, now())
      await expect.poll(waiting).toBe(1)
      const erased = eraseAccount(db, userId, now())
      await expect.poll(waiting).toBe(2)
      return { started, erased }
    })
    expect(await begun.started).toMatchObject({ kind: 'send' })
    expect(await begun.erased).toBe(true)
  })

  test('leaves no code for closing the account that is asked for meanwhile', async () => {
    const { db, env } = server.deps
    const { userId, email } = await player('closing')
    const noProfile = { firstName: null, lastName: null, city: null, country: null }
    const asking = { device: '!close', client: crypto.randomUUID(), purpose: 'close-account', userType: 'player', language: 'en' } as const
    const start = { id: crypto.randomUUID(), codeHmac: '', email, ...noProfile, ...asking }
    const outcome = await eraseDuring({ userId } as Person, () => startChallenge(db, start, env.limits, now(), userId))
    expect(outcome).toEqual({ status: 'fulfilled', value: { kind: 'closed' } })
    for (const table of ['sign_in_challenges', 'sign_in_counts'])
      expect((await server.rows(table)).filter((row) => row['email_normal'] === email)).toEqual([])
  })

  test('leaves no marks: they are stored before it or not at all', async () => {
    const owner = await player()
    const { instanceId } = (await allocate(server, coach, owner.email)).body
    await save(server, owner, instanceId)
    expect((await complete(server, owner, instanceId)).status).toBe(200)
    const mark = (...paragraphs: string[]) =>
      storeMarks(
        server.deps.db,
        { instanceId, userId: owner.userId },
        paragraphs.map((paragraph) => ({ paragraph, mark: 'like', at: now().getTime() })),
      )
    await mark('overview-1')
    expect(await eraseDuring(owner, () => mark('overview-1', 'overview-2'))).toEqual({ status: 'fulfilled', value: undefined })
    expect(await server.rows('paragraph_marks')).toEqual([])
  })

  test('of a coach allows no allocation afterwards', async () => {
    const email = `given${count}@club.test`
    const given = {
      id: crypto.randomUUID(),
      coachId: coach.userId,
      assessmentId: ASSESSMENT,
      email,
      emailNormal: email,
      operationId: undefined,
    }
    const giving = () => allocateInstance(server.deps.db, { ...given, language: undefined, playerName: 'Noa' }, now())
    expect(await eraseDuring(coach, giving)).toEqual({ status: 'fulfilled', value: { kind: 'closed' } })
    expect((await server.rows('instances')).filter(({ coach_id }) => coach_id === coach.userId)).toEqual([])
  })

  test('of a coach allows no tokens afterwards', async () => {
    const { db } = server.deps
    const id = crypto.randomUUID()
    const sold = { kind: 'tokens', priceId: 'p', quantity: 5, unitAmount: 1, amountTotal: 5, currency: 'USD' } as const
    await db.insert(orders).values({ id, userId: coach.userId, ...sold, status: 'open', idempotencyKey: id, createdAt: now() })
    const grant = { coachId: coach.userId, amount: 5, orderId: id }
    const paying = () => fulfilOnce(db, id, (tx) => addTokens(tx, grant, now()), now())
    expect(await eraseDuring(coach, paying)).toEqual({ status: 'fulfilled', value: 'erased' })
    expect((await server.rows('token_ledger')).filter(({ order_id }) => order_id === id)).toEqual([])
  })

  test.each(['granted', 'sold'])('what is %s to a player is erased too', async (how) => {
    const { db } = server.deps
    const { userId, email } = await player()
    const id = crypto.randomUUID()
    const sold = {
      kind: 'assessment',
      assessmentId: ASSESSMENT,
      priceId: 'p',
      quantity: 1,
      unitAmount: 1,
      amountTotal: 1,
      currency: 'EUR',
    } as const
    await db.insert(orders).values({ id, userId, ...sold, status: 'paid', idempotencyKey: id, createdAt: now() })
    const given = { id: crypto.randomUUID(), assessmentId: ASSESSMENT }
    const giving = {
      granted: () => grantInstance(db, { ...given, userId }, now()),
      sold: () => fulfilOnce(db, id, (tx, order) => addOwnedInstance(tx, order, given, now()), now()),
    }[how]
    const begun = await db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from assessments for update`)
      const written = giving?.()
      await expect.poll(waiting).toBe(1)
      await markClosed(db, userId, now())
      const erased = eraseAccount(db, userId, now(), now())
      await Promise.race([erased, expect.poll(waiting).toBe(2)])
      return { written, erased }
    })
    await Promise.all([begun.written, begun.erased])
    expect(JSON.stringify(await server.rows('instances'))).not.toContain(email)
  })
})
