import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ResultText } from '#contract/assessments.ts'
import { ownResults, type Instance, type InstanceSummary } from '#contract/instances.ts'
import { ask, coachData, signIn, type Person } from '#tests/support/person.ts'
import { givenPerson, newEmail } from '#tests/support/given-person.ts'
import { givenServer } from '#tests/support/start-server.ts'
import { CONTENT_VERSION, everyAnswer } from './support.ts'

describe('from an instance to its result', () => {
  const server = givenServer()
  const player = givenPerson(server, 'player')
  let id: string

  beforeEach(async () => {
    id = await server.giveInstance(player)
  })

  type Replied = InstanceSummary & { code: string; completionStatus: string }
  const post = (path: string, body?: unknown, language = 'en') =>
    ask<Replied>(server, 'POST', `assessment/assessment-instance/${path}`, { bearer: player.accessToken, body, language })
  const save = (some: unknown[]) => post('responses', { instanceId: id, responses: some })
  const complete = (language?: string) => post(`${id}/complete`, undefined, language)
  const read = (language = 'en', bearer = player.accessToken) =>
    ask<Instance>(server, 'GET', `assessment/assessment-instance/${id}`, { bearer, language })

  test('an instance has its sections in the requested language', async () => {
    const [en, fr] = await Promise.all([read('en'), read('fr')])
    expect(en.body.sections.map(({ name, type }) => [name, type])).toEqual([
      ['Section1', 'likertscale'],
      ['Section2', 'ipsative'],
      ['Section3', 'likertitem'],
    ])
    expect(fr.body.sections[0]?.questions[0]?.question).not.toBe(en.body.sections[0]?.questions[0]?.question)
    expect(en.body).toMatchObject({
      status: 'OWNED',
      contentVersion: CONTENT_VERSION,
      answeredCount: 0,
      itemCount: everyAnswer.length,
      responses: [],
    })
  })

  test('ROLES-11: no scoring key ever leaves the server', async () => {
    const { text } = await read()
    for (const word of ['"modes"', '"axis"', 'facet', '"keyed"', '"reversed"']) expect(text).not.toContain(word)
  })

  test('saved answers are read back', async () => {
    await save(everyAnswer.slice(0, 9))
    const { body } = await read()
    expect(body).toMatchObject({ status: 'IN_PROGRESS', answeredCount: 9, revision: 1 })
    expect(body.responses).toEqual(everyAnswer.slice(0, 9))
    expect(body.groups).toHaveLength(3)
  })

  test('INPUT-48, INPUT-49: with one answer missing it is IN_PROGRESS, and neither completed nor scored', async () => {
    expect((await save(everyAnswer.slice(1))).body.completionStatus).toBe('IN_PROGRESS')
    for (const path of ['complete', 'calculate-results']) {
      const { status, body } = await post(`${id}/${path}`)
      expect([status, body.code]).toEqual([409, 'NOT_COMPLETE'])
    }
    expect((await read()).body.status).toBe('IN_PROGRESS')
  })

  test('with every answer it is completed once, and a repeat gets the same reply', async () => {
    expect((await save(everyAnswer)).body.completionStatus).toBe('COMPLETED')
    const first = await complete()
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({ status: 'COMPLETED', completedDate: expect.any(String), answeredCount: everyAnswer.length })
    expect((await complete()).body).toEqual(first.body)
    expect((await post(`${id}/calculate-results`)).body).toEqual(first.body)
  })

  test('64 concurrent completions give one result', async () => {
    await save(everyAnswer)
    const replies = await Promise.all(Array.from({ length: 64 }, () => complete()))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(replies.map(({ body }) => body.completedDate)).size).toBe(1)
  })

  test('results name the style in the requested language, and their text is found by type and style', async () => {
    await save(everyAnswer)
    const { Section1, section2 } = ownResults((await complete()).body) ?? {}
    expect(section2?.label).toMatch(/^[EI][SN][TF][JP]$/)
    const french = (await complete('fr')).body.results
    expect(french?.Section1.value).toBe(Section1?.value)
    expect(french?.Section1.result).not.toBe(Section1?.result)
    const query = `assessment/assessment-result-text?mbti=${section2?.value}&lsi=${Section1?.value}&instanceId=${id}`
    const text = await ask<ResultText>(server, 'GET', query, { bearer: player.accessToken })
    expect(text.body.characterOverview.content.split('\n').length).toBeGreaterThan(1)
    // every other style and type that it fits comes along, with its text
    const { styles, types } = text.body.neighbours ?? { styles: [], types: [] }
    expect(styles.map(({ value, name }) => ({ value, result: name }))).toEqual(Section1?.styles.slice(1))
    const unclear = section2?.axes.filter(({ letter }) => letter === null).length ?? 0
    expect(new Set([section2?.value, ...types.map(({ value }) => value)]).size).toBe(2 ** unclear)
    for (const { content } of [...styles, ...types]) expect(content.length).toBeGreaterThan(100)
    const unknown = await ask(server, 'GET', 'assessment/assessment-result-text?mbti=ABCD&lsi=plan', { bearer: player.accessToken })
    expect([unknown.status, unknown.body.code]).toEqual([404, 'NOT_FOUND'])
  })

  test('a result of the first scoring version says what is clear by the same rule (SCORING-8)', async () => {
    await save(everyAnswer)
    const { results } = (await complete()).body
    await server.deps.db.execute(sql`
      update instances set scoring_version = '1', results = jsonb_set(
        results #- '{Section1,styles}' || '{"scoringVersion": "1"}', '{section2,axes}',
        (select jsonb_agg(axis - 'letter') from jsonb_array_elements(results -> 'section2' -> 'axes') axis)
      ) where id = ${id}`)
    const old = (await read()).body.results
    expect(old).toEqual({ ...results, scoringVersion: '1' })
  })

  test('doubts about the answers are stored with the result and told to the player, not to the coach (SCORING-14)', async () => {
    const coach = await signIn(server, newEmail('coach'), 'coach', coachData)
    await server.deps.db.execute(
      `update instances set coach_id = '${coach.userId}', status = 'ALLOCATED', allocated_at = now() where id = '${id}'`,
    )
    const inOneColumn = everyAnswer.map((one) =>
      one.sectionName === 'Section1' ? one : { ...one, answer: one.sectionName === 'Section2' ? 'A' : '3' },
    )
    await save(inOneColumn)
    const doubts = ['same-side', 'same-agreement']
    expect(ownResults((await complete()).body)?.doubts).toEqual(doubts)
    expect(ownResults((await read('fr')).body)?.doubts).toEqual(doubts)
    for (const path of [`assessment/assessment-instance/${id}`, 'assessment/assessment-instance', 'assessment/coach/allocated']) {
      const seen = await ask(server, 'GET', path, { bearer: coach.accessToken })
      expect(seen.status).toBe(200)
      expect(seen.text).not.toMatch(/doubt|same-side|same-agreement/)
    }
  })

  test('a result from before the answers were looked at has no doubts, and one without any has none', async () => {
    await save(everyAnswer)
    expect(ownResults((await complete()).body)?.doubts).toEqual([])
    await server.deps.db.execute(`update instances set results = results - 'doubts' where id = '${id}'`)
    const { status, body } = await read()
    expect(status).toBe(200)
    expect(ownResults(body)).not.toHaveProperty('doubts')
  })

  test('INPUT-45: a save after completion is refused and changes nothing', async () => {
    await save(everyAnswer)
    await complete()
    const late = await save(everyAnswer.slice(0, 4))
    expect([late.status, late.body.code]).toEqual([409, 'ALREADY_COMPLETED'])
  })

  test('a save concurrent with the completion is either stored or refused, and no answer is lost', async () => {
    await save(everyAnswer)
    const changed = everyAnswer.slice(0, 4).map((one, index) => ({ ...one, answer: String(((index + 2) % 4) + 1) }))
    const [saved, completed] = await Promise.all([save(changed), complete()])
    expect(completed.status).toBe(200)
    const { body } = await read()
    const stored = body.responses.filter(({ id: item }) => changed.some((one) => one.id === item))
    expect(stored).toEqual(saved.status === 200 ? changed : everyAnswer.slice(0, 4))
  })

  test('INPUT-46: a reclaimed instance accepts no answers, cannot be completed, and is not listed', async () => {
    await save(everyAnswer)
    await server.deps.db.execute(`update instances set status = 'RECLAIMED', reclaimed_at = now() where id = '${id}'`)
    for (const reply of [await save(everyAnswer.slice(0, 4)), await complete()])
      expect([reply.status, reply.body.code]).toEqual([409, 'INSTANCE_RECLAIMED'])
    const list = (query = '') =>
      ask<{ data: InstanceSummary[] }>(server, 'GET', `assessment/assessment-instance${query}`, { bearer: player.accessToken })
    expect((await list()).body.data).toEqual([])
    expect((await list('?status=RECLAIMED')).body.data).toHaveLength(1)
  })

  describe('visibility', () => {
    test('its player and the operator find it in the list, and other players do not', async () => {
      const other = await signIn(server, newEmail('other'))
      const list = (person: Person, query = '') =>
        ask<{ data: InstanceSummary[] }>(server, 'GET', `assessment/assessment-instance${query}`, { bearer: person.accessToken })
      expect((await list(player)).body.data.map(({ instanceId }) => instanceId)).toEqual([id])
      expect((await list(player, `?userId=${player.userId}&status=OWNED`)).body.data).toHaveLength(1)
      expect((await list(player, '?status=COMPLETED')).body.data).toEqual([])
      expect((await list(other)).body.data).toEqual([])
      expect((await list(other, `?userId=${player.userId}`)).status).toBe(403)
      const operator = { ...player, accessToken: server.deps.keys.operatorKey }
      expect((await list(operator, `?userId=${player.userId}`)).body.data).toHaveLength(1)
      expect((await list(operator, '?userId=nonsense')).body.data).toEqual([])
    })

    test('the coach who allocated it sees status and result, never an answer (PRIVACY-1)', async () => {
      const coach = await signIn(server, newEmail('coach'), 'coach', coachData)
      const stranger = await signIn(server, newEmail('stranger'), 'coach', coachData)
      await server.deps.db.execute(
        `update instances set coach_id = '${coach.userId}', status = 'ALLOCATED', allocated_at = now() where id = '${id}'`,
      )
      await save(everyAnswer)
      await complete()
      const seen = await read('en', coach.accessToken)
      expect(seen.body).toMatchObject({ status: 'COMPLETED', coachFirstName: 'Alex', responses: [], groups: [], userEmail: player.email })
      expect(seen.body.results?.section2.label).toMatch(/^[EI][SN][TF][JP]$/)
      expect((await read('en', stranger.accessToken)).status).toBe(404)
      const list = await ask<{ data: InstanceSummary[] }>(server, 'GET', 'assessment/assessment-instance', { bearer: coach.accessToken })
      expect(list.body.data.map(({ instanceId }) => instanceId)).toEqual([id])
    })
  })
})
