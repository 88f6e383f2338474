import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const words = (language: string, area: string) =>
  JSON.parse(readFileSync(new URL(`../../../locales/${language}/${area}.json`, import.meta.url), 'utf8')) as Record<string, string>

test.each([
  ['en', /on this device/g],
  ['fr', /sur cet appareil/g],
])('the words for an assessment that ended elsewhere say only once that the answers are on this device (%s)', (language, here) => {
  const sentence = words(language, 'assessment')['TestNotSent'] ?? ''
  for (const code of ['INSTANCE_RECLAIMED', 'ALREADY_COMPLETED']) {
    const said = sentence.replace('{{reason}}', words(language, 'errors')[code] ?? '')
    expect(said.match(here), said).toHaveLength(1)
  }
})
