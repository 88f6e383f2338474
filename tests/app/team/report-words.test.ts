import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#contract/languages.ts'

/** The coach's page says of each letter what the player's results say, in the third person. TEAM-8 */
describe.each(LANGUAGES)('the letters on the coach’s page (%s)', (language) => {
  const wordsOf = (area: string) =>
    JSON.parse(readFileSync(new URL(`../../../locales/${language}/${area}.json`, import.meta.url), 'utf8')) as Record<string, string>
  const [team, results] = [wordsOf('team'), wordsOf('results')]

  it.each([...'EISNTFJP'])('%s has the name that the results have, and does not address the player', (letter) => {
    const line = team[`CoachReportLetter${letter}`] ?? ''
    expect(line.split(/\u00a0?: /)[0]).toBe(results[`ResultsPole${letter}`])
    expect(line).not.toMatch(/\b(you|your|tu|te|ton|ta|tes)\b/i)
  })
})
