import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ResultText } from '#contract/assessments.ts'
import type { Refusal } from '#contract/errors.ts'
import { ownResults, type Instance } from '#contract/instances.ts'
import { resultLine } from '#contract/rules/result-line.ts'
import { LIMITS } from '#server/limits/limits.ts'
import { givenPerson, newEmail } from '#tests/support/given-person.ts'
import { readPdf, withoutSpace } from '#tests/support/pdf.ts'
import { ask, closeAccount, movableClock, signIn } from '#tests/support/person.ts'
import { givenServer, startServer, type TestServer } from '#tests/support/start-server.ts'
import { allocate, complete, coachWith, openBrief, save } from './support.ts'

/** The player's own report over HTTP: for its player alone. RESULTS-16, PRIVACY-2 */

const pathOf = (id: string) => `assessment/assessment-instance/${id}/report.pdf`

async function download({ address }: TestServer, id: string, bearer: string, { language = 'en', query = '' } = {}) {
  const headers = { authorization: `Bearer ${bearer}`, 'accept-language': language }
  const response = await fetch(`${address}/api/${pathOf(id)}${query}`, { headers })
  return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) }
}

describe('a player’s own report', () => {
  const server = givenServer()
  const player = givenPerson(server, 'player')
  let id: string

  beforeEach(async () => {
    id = await server.giveInstance(player, 1)
  })

  test.each(['en', 'fr'])('has the words of the result in %s', async (language) => {
    const asking = { bearer: player.accessToken, language }
    const { body } = await ask<Instance>(server, 'GET', `assessment/assessment-instance/${id}`, asking)
    const results = ownResults(body)
    if (!results) throw new Error('no results')
    const query = new URLSearchParams({ lsi: results.Section1.value, mbti: results.section2.value, instanceId: id })
    const { body: words } = await ask<ResultText>(server, 'GET', `assessment/assessment-result-text?${query}`, asking)

    const reply = await download(server, id, player.accessToken, { language })
    expect(reply.status).toBe(200)
    const { text, ...pdf } = await readPdf(reply.bytes)
    expect(pdf).toMatchObject({ language, isTagged: true })
    expect(text).toContain(withoutSpace(resultLine(results, '')))
    const contents = [words.lsiType.content, words.mbtiType.content, ...words.characterOverview.content.split('\n')]
    for (const content of contents) expect(text).toContain(withoutSpace(content))
    for (const sum of Object.values(results.Section1.modes)) expect(text).toContain(String(sum))
  })

  test.each([
    // noon of UTC is the next day on Kiritimati
    ['2026-11-30T12:35:00Z', '', '30th Nov 2026', '30 nov. 2026'],
    ['2026-11-30T12:35:00Z', '?timeZone=Pacific%2FKiritimati', '1st Dec 2026', '1er déc. 2026'],
    ['2026-12-01T03:00:00Z', '?timeZone=America/New_York', '30th Nov 2026', '30 nov. 2026'],
    // a browser may know a zone that is newer than this server
    ['2026-12-01T03:00:00Z', '?timeZone=Atlantis/Poseidonis', '1st Dec 2026', '1er déc. 2026'],
  ])('of a result at %s, asked for with “%s”, is dated %s', async (at, query, en, fr) => {
    await server.deps.db.execute(sql`update instances set completed_at = ${at} where id = ${id}`)
    for (const [language, date] of Object.entries({ en, fr })) {
      const { status, bytes } = await download(server, id, player.accessToken, { language, query })
      expect(status).toBe(200)
      expect((await readPdf(bytes)).text).toContain(withoutSpace(`${language === 'en' ? 'Completed on' : 'terminée le'} ${date}`))
    }
  })

  test.each(['?timeZone=', '?timeZone=a%20b', `?timeZone=${'a'.repeat(65)}`, '?zone=UTC'])(
    'is refused with the query %s',
    async (query) => {
      expect((await download(server, id, player.accessToken, { query })).status).toBe(400)
    },
  )

  test('is a file without personal data in its name, and no cache may share it', async () => {
    const { headers, bytes } = await download(server, id, player.accessToken)
    expect(headers.get('content-type')).toBe('application/pdf')
    expect(headers.get('content-disposition')).toBe('attachment; filename="touchline-report.pdf"')
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(bytes.length).toBeLessThanOrEqual(300_000)
  })

  test('takes at most 1.5 s', async () => {
    const began = performance.now()
    await download(server, id, player.accessToken)
    expect(performance.now() - began).toBeLessThan(1500)
  })

  test('a result of the first scoring version says what is clear as well', async () => {
    const before = (await readPdf((await download(server, id, player.accessToken)).bytes)).text
    await server.deps.db.execute(sql`
      update instances set scoring_version = '1', results = jsonb_set(
        results #- '{Section1,styles}' || '{"scoringVersion": "1"}', '{section2,axes}',
        (select jsonb_agg(axis - 'letter') from jsonb_array_elements(results -> 'section2' -> 'axes') axis)
      ) where id = ${id}`)
    expect((await readPdf((await download(server, id, player.accessToken)).bytes)).text).toBe(before)
  })

  test.each([
    ['en', 'find'],
    ['fr', 'introuvable'],
  ])('is refused like one that does not exist to anybody else, in %s', async (language) => {
    const other = await signIn(server, newEmail('other'))
    const absent = '00000000-0000-4000-8000-000000000000'
    const get = (path: string, bearer: string) => ask<Refusal>(server, 'GET', path, { bearer, language })
    const [foreign, unknown] = [await get(pathOf(id), other.accessToken), await get(pathOf(absent), player.accessToken)]
    expect([foreign.status, foreign.body.code]).toEqual([404, 'NOT_FOUND'])
    expect([unknown.status, unknown.body.message]).toEqual([404, foreign.body.message])
    expect((await get(pathOf('nonsense'), player.accessToken)).status).toBe(404)
    expect((await get(pathOf(id), server.deps.keys.operatorKey)).status).toBe(403)
    expect((await ask(server, 'GET', pathOf(id))).status).toBe(401)
  })

  test('is refused to the coach who allocated the assessment', async () => {
    const coach = await coachWith(server, newEmail('coach'), 1)
    const { instanceId } = (await allocate(server, coach, player.email)).body
    await openBrief(server, player, instanceId)
    await save(server, player, instanceId)
    await complete(server, player, instanceId)
    expect((await ask(server, 'GET', pathOf(instanceId), { bearer: coach.accessToken })).status).toBe(403)
    const { text } = await readPdf((await download(server, instanceId, player.accessToken)).bytes)
    expect(text).toContain('Whatyourcoachcanread')
    expect(text).toContain('AlexBergerongaveyou')
    await closeAccount(server, coach)
    const { text: since } = await readPdf((await download(server, instanceId, player.accessToken)).bytes)
    expect(since).toContain('hadclosedtheiraccount')
    expect(since).not.toContain('AlexBergeron')
  })

  test('does not exist before the assessment is completed', async () => {
    const { bearer } = { bearer: player.accessToken }
    for (const share of [0, 0.5]) {
      const open = await server.giveInstance(player, share)
      const { status, body } = await ask(server, 'GET', pathOf(open), { bearer })
      expect([status, body.code]).toEqual([409, 'NOT_COMPLETE'])
    }
  })

  test('also exists for a player without a name', async () => {
    await server.deps.db.execute(sql`update users set first_name = null, last_name = null where id = ${player.userId}`)
    expect((await download(server, id, player.accessToken)).status).toBe(200)
  })
})

describe('the limit of reports', () => {
  let server: TestServer
  afterEach(async () => server.close())

  test('20 an hour for each player, then 429 with Retry-After', async () => {
    const clock = movableClock()
    server = await startServer({ clock })
    const [player, other] = [await signIn(server, 'player@club.test'), await signIn(server, 'other@club.test')]
    const [id, others] = [await server.giveInstance(player, 1), await server.giveInstance(other, 1)]
    // refused calls make no report: they do not count
    const open = await server.giveInstance(player, 0.5)
    for (const path of [pathOf(others), pathOf('nonsense'), pathOf(open)]) await ask(server, 'GET', path, { bearer: player.accessToken })
    const head = await fetch(`${server.address}/api/${pathOf(id)}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${player.accessToken}` },
    })
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET'])
    for (let made = 0; made < LIMITS.reports.maximum; made += 1) expect((await download(server, id, player.accessToken)).status).toBe(200)
    const refused = await ask<Refusal>(server, 'GET', pathOf(id), { bearer: player.accessToken })
    expect([refused.status, refused.body.code]).toEqual([429, 'TOO_MANY_REQUESTS'])
    const minutes = Math.ceil(Number(refused.headers.get('retry-after')) / 60)
    expect(minutes).toBeGreaterThan(2)
    expect(refused.body.message).toBe(`Too many attempts in a short time. You can try again in ${minutes} minutes.`)
    const french = await ask<Refusal>(server, 'GET', pathOf(id), { bearer: player.accessToken, language: 'fr' })
    expect(french.body.message).toBe(`Trop de tentatives en peu de temps. Tu pourras réessayer dans ${minutes} minutes.`)
    expect((await download(server, others, other.accessToken)).status).toBe(200)
    clock.forward(3600)
    const { accessToken } = await signIn(server, 'player@club.test')
    expect((await download(server, id, accessToken)).status).toBe(200)
  })
})
