import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { SinceLast } from '#app/screens/assessment/results/since-last.tsx'
import { leaningOf } from '#sandbox/demo-accounts/leaning.ts'
import { givenReport } from '#tests/server/report/given-report.ts'

vi.mock('wouter', () => ({ Link: 'a' }))
vi.mock('#app/i18n/use-translation.ts', () => ({ useTranslation: () => ({ t: (key: string) => key, i18n: { language: 'en' } }) }))
vi.mock('#app/i18n/format.ts', () => ({ formatDate: () => '' }))

const { results } = givenReport('en', leaningOf(1))
const headingOf = (isOtherVersion: boolean) => {
  const earlier = { instanceId: 'i', completedDate: '2026-05-01T10:00:00Z', results, isOtherVersion }
  return /<h2[^>]*>(.*?)<\/h2>/.exec(renderToStaticMarkup(<SinceLast results={results} earlier={earlier} />))?.[1]
}

test('a comparison has the date of the earlier result; without a comparison there is no date', () => {
  expect(headingOf(false)).toBe('results:ResultsSince')
  expect(headingOf(true)).toBe('results:ResultsEarlierTitle')
})
