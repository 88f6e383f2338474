import { expect, test } from 'vitest'
import type { ResultText } from '#contract/assessments.ts'
import type { Instance } from '#contract/instances.ts'
import { resultText, sectionsOf } from '#server/content/content.ts'
import { assessments } from '#server/db/schema/assessments.ts'
import { seedAssessments } from '#server/db/seed.ts'
import { ask, signIn } from '#tests/support/person.ts'
import { givenServer } from '#tests/support/start-server.ts'
import { ASSESSMENT, CONTENT_VERSION, everyAnswer } from './support.ts'

const FIRST = 'touchline-profile-1'
const path = 'assessment/assessment-instance'
const server = givenServer()

/** The texts of a result that do not depend on the agreement items. */
function written({ lsiType, mbtiType, characterOverview }: ResultText): string[] {
  return [lsiType.content, mbtiType.content, ...characterOverview.content.split('\n').slice(0, 3)]
}

// ANSWERS-15, SCORING-11
test('an instance of an earlier content version keeps its questions and texts, and a new one gets the current version', async () => {
  const { db, env, keys } = server.deps
  const { userId, accessToken: bearer } = await signIn(server, 'player@club.test')
  const create = async () => {
    const body = { userId, assessmentId: ASSESSMENT }
    return (await ask<Instance>(server, 'POST', path, { bearer: keys.operatorKey, body })).body.instanceId
  }
  const read = async (id: string) => (await ask<Instance>(server, 'GET', `${path}/${id}`, { bearer })).body
  const textsOf = async (id: string) => {
    await ask(server, 'POST', `${path}/responses`, { bearer, body: { instanceId: id, responses: everyAnswer } })
    await ask(server, 'POST', `${path}/${id}/complete`, { bearer })
    const { results } = await read(id)
    const result = { lsi: results?.Section1.value ?? '', mbti: results?.section2.value ?? '' }
    const query = new URLSearchParams({ ...result, instanceId: id })
    return { result, texts: written((await ask<ResultText>(server, 'GET', `assessment/assessment-result-text?${query}`, { bearer })).body) }
  }

  // the database as an earlier build left it
  await db.update(assessments).set({ contentVersion: FIRST })
  const earlier = await create()
  await seedAssessments(db, env)
  const later = await create()

  expect(await read(earlier)).toMatchObject({ contentVersion: FIRST, sections: sectionsOf(FIRST, 'en') })
  expect(await read(later)).toMatchObject({ contentVersion: CONTENT_VERSION, sections: sectionsOf(CONTENT_VERSION, 'en') })
  const { result, texts } = await textsOf(earlier)
  expect(texts).toEqual(written(resultText(FIRST, result, 'en')))
  expect(await textsOf(later)).toEqual({ result, texts: written(resultText(CONTENT_VERSION, result, 'en')) })
  expect(sectionsOf(CONTENT_VERSION, 'en')).not.toEqual(sectionsOf(FIRST, 'en'))
})
