import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Assessment } from '#contract/assessments.ts'
import type { Instance, InstanceSummary } from '#contract/instances.ts'
import { ask, signIn } from '#tests/support/person.ts'
import { givenServer } from '#tests/support/start-server.ts'

/** The sample report of a card and of results is the one in the caller's language. RESULTS-2 */
describe('the sample report', () => {
  const server = givenServer()

  test.each([
    ['en', 'assessmentSampleReportImpact.pdf'],
    ['fr', 'assessmentSampleReportImpact.fr.pdf'],
  ])('is in the caller’s language: %s', async (language, file) => {
    const { accessToken: bearer, userId } = await signIn(server, `player.${language}@club.test`)
    const body = { userId, assessmentId: 'touchline-profile' }
    const operator = { bearer: server.deps.keys.operatorKey, body, language }
    const { instanceId } = (await ask<InstanceSummary>(server, 'POST', 'assessment/assessment-instance', operator)).body
    const get = async <Body>(path: string) => (await ask<Body>(server, 'GET', path, { bearer, language })).body

    const offers = await get<{ data: Assessment[] }>('assessment')
    expect(offers.data.map(({ sampleReportFilename }) => sampleReportFilename)).toEqual([file])
    expect(await get<Assessment>('assessment/touchline-profile')).toMatchObject({ sampleReportFilename: file })
    expect(await get<Instance>(`assessment/assessment-instance/${instanceId}`)).toMatchObject({ SampleReportFilename: file })
    expect(existsSync(new URL(`../../../public/media/sample/${file}`, import.meta.url))).toBe(true)
  })
})
