import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { exampleTeam } from '#app/screens/team/table/examples.ts'
import { LANGUAGES } from '#contract/languages.ts'
import { teamTexts } from './team.ts'

it.each(LANGUAGES)('every example row has a sample report, which is there (%s)', (language) => {
  const { TeamExampleResult: result = '', TeamExampleReport: report = '' } = teamTexts(language)
  const files = exampleTeam({ nameOf: String, result, report }).map(({ SampleReportFilename }) => SampleReportFilename)
  expect(files).not.toHaveLength(0)
  expect(files.filter((file) => file === '' || !existsSync(`public/media/sample/${file}`))).toEqual([])
})
