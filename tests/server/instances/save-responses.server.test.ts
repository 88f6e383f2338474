import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Instance, SaveBody, SaveReply } from '#contract/instances.ts'
import type { Refusal } from '#contract/errors.ts'
import { itemIdsOf } from '#contract/rules/questionnaire.ts'
import { receiptOf } from '#contract/rules/receipt.ts'
import { answersStore } from '#server/instances/answers-store.ts'
import type { AnswersChange } from '#server/instances/save-answers.ts'
import { ask, signIn, type Person } from '#tests/support/person.ts'
import { engines } from '#tests/support/databases.ts'
import { givenServer } from '#tests/support/start-server.ts'

/** POST assessment/assessment-instance/responses over HTTP. ANSWERS-2 to ANSWERS-15, INPUT-41 to INPUT-48 */

const RESPONSES = 'assessment/assessment-instance/responses'
const pair = (n: string, answer: string | null) => ({ sectionName: 'Section2', id: `s2-q${n}`, answer })
const ranking = (values: (string | null)[]) => values.map((answer, i) => ({ sectionName: 'Section1', id: `s1-q01-${'abcd'[i]}`, answer }))

describe.each(engines)('saving answers (%s)', (database) => {
  const server = givenServer({ database })
  let player: Person
  let instanceId: string
  let contentVersion: string

  beforeAll(async () => {
    player = await signIn(server, 'sam@example.test')
  })
  beforeEach(async () => {
    instanceId = await server.giveInstance(player)
    contentVersion = (await read()).contentVersion
  })

  const save = <Body = SaveReply>(body: Partial<SaveBody>, who = player) =>
    ask<Body>(server, 'POST', RESPONSES, { bearer: who.accessToken, body: { instanceId, responses: [], ...body } })
  const read = async (who = player) =>
    (await ask<Instance>(server, 'GET', `assessment/assessment-instance/${instanceId}`, { bearer: who.accessToken })).body
  const operation = (questions: Record<string, number>, device = randomUUID(), id = randomUUID()) => ({
    id,
    device,
    contentVersion,
    groups: Object.entries(questions).map(([questionId, base]) => ({ questionId, base })),
  })
  const storedAnswers = async () => Object.fromEntries((await read()).responses.map(({ id, answer }) => [id, answer]))

  test('a save without an operation stores the answers, starts the instance and returns completionStatus (ANSWERS-4)', async () => {
    const { status, body } = await save({ responses: [pair('01', 'A'), ...ranking(['1', '2', '3', '4'])] })
    expect(status).toBe(200)
    expect(body).toMatchObject({ completionStatus: 'IN_PROGRESS', revision: 1, count: 5, superseded: [] })
    const instance = await read()
    expect(instance.status).toBe('IN_PROGRESS')
    expect(instance.answeredCount).toBe(5)
    expect(await storedAnswers()).toMatchObject({ 's2-q01': 'A', 's1-q01-d': '4' })
  })

  test('the receipt matches what is stored', async () => {
    const { body } = await save({ responses: [pair('01', 'A')], operation: operation({ 's2-q01': 0 }) })
    expect({ count: body.count, hash: body.hash }).toEqual(receiptOf({ 's2-q01': { 's2-q01': 'A' } }))
  })

  test('one operation sent ten times at once is stored once, with the same reply ten times', async () => {
    const body = { responses: [pair('02', 'B')], operation: operation({ 's2-q02': 0 }) }
    const replies = await Promise.all(Array.from({ length: 10 }, () => save(body)))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(replies.every(({ status }) => status === 200)).toBe(true)
    expect((await read()).revision).toBe(1)
    expect((await server.rows('answer_log')).filter((row) => row['instance_id'] === instanceId)).toHaveLength(1)
  })

  test('an id in capitals names the same instance, and what is saved under it is stored once', async () => {
    const { status, body } = await save({ instanceId: instanceId.toUpperCase(), responses: [pair('01', 'A')] })
    expect([status, body.revision]).toEqual([200, 1])
    expect(await storedAnswers()).toMatchObject({ 's2-q01': 'A' })
  })

  test('of sixteen concurrent saves of different groups, every one is stored', async () => {
    const numbers = Array.from({ length: 16 }, (_, i) => String(i + 1).padStart(2, '0'))
    const replies = await Promise.all(numbers.map((n) => save({ responses: [pair(n, 'A')], operation: operation({ [`s2-q${n}`]: 0 }) })))
    expect(replies.map(({ status }) => status)).toEqual(numbers.map(() => 200))
    expect((await read()).answeredCount).toBe(16)
  })

  test('of forty players who save new, changed and unchanged answers at once, each reads back their own', async () => {
    const players = await Promise.all(Array.from({ length: 40 }, (_, n) => signIn(server, `player${n}@example.test`)))
    const instanceIds = await Promise.all(players.map((one) => server.giveInstance(one)))
    for (const turn of [0, 1, 2]) {
      const replies = await Promise.all(
        players.map((who, n) =>
          save(
            {
              instanceId: instanceIds[n] ?? '',
              responses: [
                pair('01', n % 2 ? 'A' : 'B'),
                pair('02', turn % 2 ? 'A' : 'B'),
                pair(String(n + 3 + turn).padStart(2, '0'), 'A'),
              ],
            },
            who,
          ),
        ),
      )
      expect(replies.map(({ status, body }) => [status, body.revision])).toEqual(players.map(() => [200, turn + 1]))
    }
    for (const [n, who] of players.entries()) {
      const { body } = await ask<Instance>(server, 'GET', `assessment/assessment-instance/${instanceIds[n]}`, { bearer: who.accessToken })
      const numbered = [n + 3, n + 4, n + 5].map((number) => `s2-q${String(number).padStart(2, '0')}`)
      const wanted = { 's2-q01': n % 2 ? 'A' : 'B', 's2-q02': 'B', ...Object.fromEntries(numbered.map((id) => [id, 'A'])) }
      expect(Object.fromEntries(body.responses.map(({ id, answer }) => [id, answer]))).toEqual(wanted)
    }
  })

  test.runIf(database === 'postgres')('a locked instance delays its own saves only', async () => {
    const players = await Promise.all(Array.from({ length: 8 }, (_, n) => signIn(server, `held${n}@example.test`)))
    const instanceIds = await Promise.all(players.map((one) => server.giveInstance(one)))
    const holder = new pg.Client({ connectionString: server.databaseUrl ?? '' })
    await holder.connect()
    await holder.query('begin')
    await holder.query('select 1 from instances where id = $1 for update', [instanceIds[0]])
    const saves = [1, 2, 3].map((turn) =>
      players.map((who, n) => save({ instanceId: instanceIds[n] ?? '', responses: [pair('01', turn % 2 ? 'A' : 'B')] }, who)),
    )
    const others = await Promise.all(saves.flatMap((one) => one.slice(1)))
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 200))
    await holder.query('commit')
    await holder.end()
    const own = await Promise.all(saves.flatMap((one) => one.slice(0, 1)))
    expect(own.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  test('an operation id sent again with different answers is 409 OPERATION_MISMATCH and changes nothing', async () => {
    const same = operation({ 's2-q01': 0 })
    await save({ responses: [pair('01', 'A')], operation: same })
    const { status, body } = await save<Refusal>({ responses: [pair('01', 'B')], operation: same })
    expect([status, body.code]).toEqual([409, 'OPERATION_MISMATCH'])
    expect(await storedAnswers()).toEqual({ 's2-q01': 'A' })
  })

  test('null clears an answer, and a blank is ignored (QUESTIONS-13, ANSWERS-2)', async () => {
    await save({ responses: ranking(['1', '2', '3', '4']) })
    await save({ responses: [{ sectionName: 'Section1', id: 's1-q01-a', answer: '  ' }] })
    expect((await read()).answeredCount).toBe(4)
    await save({ responses: ranking([null, '1', '3', '4']), operation: operation({ 's1-q01': 1 }) })
    expect(await storedAnswers()).toEqual({ 's1-q01-b': '1', 's1-q01-c': '3', 's1-q01-d': '4' })
  })

  test('a device replaces only answers it has seen; otherwise it gets the stored one and its own is logged (ANSWERS-11)', async () => {
    const [phone, tablet] = [randomUUID(), randomUUID()]
    await save({ responses: [pair('03', 'A')], operation: operation({ 's2-q03': 0 }, phone) })
    const late = await save({ responses: [pair('03', 'B')], operation: operation({ 's2-q03': 0 }, tablet) })
    expect(late.body).toMatchObject({ groups: [], count: 0, superseded: [{ questionId: 's2-q03', revision: 1, value: { 's2-q03': 'A' } }] })
    expect(await storedAnswers()).toEqual({ 's2-q03': 'A' })
    const log = (await server.rows('answer_log')).filter((row) => row['instance_id'] === instanceId)
    // a table has no order
    const logged = log.map(({ groups, superseded }) => ({ groups, superseded })) as { groups: object[]; superseded: object[] }[]
    expect(logged.toSorted((a, b) => b.groups.length - a.groups.length)).toEqual([
      { groups: [{ questionId: 's2-q03', value: { 's2-q03': 'A' }, revision: 1, base: 0 }], superseded: [] },
      {
        groups: [],
        superseded: [{ questionId: 's2-q03', value: { 's2-q03': 'B' }, base: 0, current: { revision: 1, value: { 's2-q03': 'A' } } }],
      },
    ])
    const seen = await save({ responses: [pair('03', 'B')], operation: operation({ 's2-q03': 1 }, tablet) })
    expect(seen.body.groups).toEqual([{ questionId: 's2-q03', revision: 2 }])
    // a device has seen what it saved itself, even if the reply was lost
    const own = await save({ responses: [pair('03', 'A')], operation: operation({ 's2-q03': 0 }, tablet) })
    expect(own.body.groups).toEqual([{ questionId: 's2-q03', revision: 3 }])
  })

  test('a repeat gets the same reply byte for byte, with new, changed, unchanged and superseded groups', async () => {
    const [phone, tablet] = [randomUUID(), randomUUID()]
    const first = { 's1-q01': 0, 's2-q01': 0, 's2-q02': 0 }
    await save({ responses: [...ranking(['1', '2', '3', '4']), pair('01', 'A'), pair('02', 'B')], operation: operation(first, phone) })
    await save({ responses: [pair('01', 'B')], operation: operation({ 's2-q01': 1 }, tablet) })
    const body = {
      responses: [pair('05', 'B'), ...ranking([null, '3', '2', '4']), pair('01', 'A'), pair('02', 'B')],
      operation: operation({ ...first, 's2-q05': 0 }, phone),
    }
    const reply = await save(body)
    expect(reply.body).toMatchObject({
      revision: 3,
      groups: [
        { questionId: 's2-q05', revision: 1 },
        { questionId: 's1-q01', revision: 2 },
        { questionId: 's2-q02', revision: 1 },
      ],
      superseded: [{ questionId: 's2-q01', revision: 2, value: { 's2-q01': 'B' } }],
    })
    await save({ responses: [pair('05', 'A')], operation: operation({ 's2-q05': 1 }, phone) })
    expect((await save(body)).text).toBe(reply.text)
  })

  test('an instance can be read without its sections', async () => {
    await save({ responses: [pair('01', 'A')], operation: operation({ 's2-q01': 0 }) })
    const path = `assessment/assessment-instance/${instanceId}`
    const without = await ask<Instance>(server, 'GET', `${path}?sections=none`, { bearer: player.accessToken })
    expect(without.body).toEqual({ ...(await read()), sections: [] })
    const other = await ask<Refusal>(server, 'GET', `${path}?sections=some`, { bearer: player.accessToken })
    expect([other.status, other.body.code]).toEqual([400, 'INVALID_INPUT'])
  })

  test('a group that a save does not change is not written again', async () => {
    const versions = async () =>
      (await server.deps.db.execute(`select question_id, xmin::text from answer_groups where instance_id = '${instanceId}' order by 1`))
        .rows
    await save({ responses: [pair('01', 'A'), pair('02', 'A')], operation: operation({ 's2-q01': 0, 's2-q02': 0 }) })
    const [first, second] = await versions()
    await save({ responses: [pair('01', 'A'), pair('02', 'B')], operation: operation({ 's2-q01': 1, 's2-q02': 1 }) })
    const [same, other] = await versions()
    expect(same).toEqual(first)
    expect(other).not.toEqual(second)
  })

  test('of saves based on the same revision one is written, even if they reach the database together', async () => {
    const port = answersStore(server.deps.db, server.deps.clock.now)
    const changeOf = (answer: string, id = instanceId): AnswersChange => ({
      ...{ instanceId: id, userId: player.userId, expectedRevision: 0, lastSave: null, closes: null, device: null, changed: [] },
      added: [{ questionId: 's2-q01', value: { 's2-q01': answer }, revision: 1, device: null }],
      operation: { id: randomUUID(), contentHash: answer },
      save: { revision: 1, completionStatus: 'IN_PROGRESS', groups: [], superseded: [] },
    })
    const others = [await server.giveInstance(player), await server.giveInstance(player)]
    // the first two are written at once, each alone; what arrives meanwhile is written in one batch
    const first = others.map((id) => port.write(changeOf('A', id)))
    const written = await Promise.all(['A', 'B', 'A', 'B', 'A', 'B'].map((answer) => port.write(changeOf(answer))))
    await Promise.all(first)
    expect(written.filter((at) => at !== undefined)).toHaveLength(1)
    expect((await read()).revision).toBe(1)
  })

  test('a content version other than the pinned one is 409 (ANSWERS-15)', async () => {
    const { status, body } = await save<Refusal>({
      responses: [pair('01', 'A')],
      operation: { ...operation({ 's2-q01': 0 }), contentVersion: 'older' },
    })
    expect([status, body.code]).toEqual([409, 'CONTENT_VERSION_MISMATCH'])
  })

  test('after completion a save is 409 ALREADY_COMPLETED, and a repeat of an earlier one gets its first reply', async () => {
    instanceId = await server.giveInstance(player, 0.99)
    const open = await read()
    const given = new Set(open.responses.filter(({ answer }) => answer !== null).map(({ id }) => id))
    const rest = open.sections.flatMap((section) =>
      section.questions.flatMap((question) => {
        const ids = itemIdsOf(question)
        return ids.every((id) => given.has(id))
          ? []
          : ids.map((id, i) => ({ sectionName: section.name, id, answer: section.name === 'Section2' ? 'A' : String(i + 1) }))
      }),
    )
    const complete = () =>
      ask<Refusal>(server, 'POST', `assessment/assessment-instance/${instanceId}/complete`, { bearer: player.accessToken })
    expect((await complete()).body.code).toBe('NOT_COMPLETE')
    const questions = Object.fromEntries(
      open.sections.flatMap(({ questions: all }) =>
        all.map(({ id }) => [id, open.groups.find((group) => group.questionId === id)?.revision ?? 0]),
      ),
    )
    const last = { responses: rest, operation: operation(questions) }
    const saved = await save(last)
    expect(saved.body.completionStatus).toBe('COMPLETED')
    expect((await complete()).status).toBe(200)
    const later = await save<Refusal>({ responses: [pair('01', 'A')] })
    expect([later.status, later.body.code]).toEqual([409, 'ALREADY_COMPLETED'])
    expect((await save(last)).text).toBe(saved.text)
    const repeated = await Promise.all([complete(), complete(), complete()])
    expect(new Set(repeated.map(({ text }) => text)).size).toBe(1)
  })

  test('a save to another player’s instance is refused like one to an unknown instance', async () => {
    const other = await signIn(server, 'other@example.test')
    const foreign = await save<Refusal>({ responses: [pair('01', 'A')] }, other)
    const absent = await ask<Refusal>(server, 'POST', RESPONSES, {
      bearer: other.accessToken,
      body: { instanceId: randomUUID(), responses: [] },
    })
    const nonsense = await ask<Refusal>(server, 'POST', RESPONSES, { bearer: other.accessToken, body: { instanceId: 'x', responses: [] } })
    for (const { status, body } of [foreign, absent, nonsense]) expect([status, body.code]).toEqual([404, 'NOT_FOUND'])
    expect(foreign.body.message).toBe(absent.body.message)
  })
})
