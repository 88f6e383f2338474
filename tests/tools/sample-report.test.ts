import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#contract/languages.ts'
import { currentVersionOf, resultText, sampleReportOf } from '#server/content/content.ts'
import { documentOf } from '#tools/sample-report-sheets.ts'

describe.each(LANGUAGES)('the sample report (%s)', (language) => {
  const file = readFileSync(
    new URL(`../../public/media/sample/${sampleReportOf('touchline-profile', language)}`, import.meta.url),
    'latin1',
  )

  it('is a PDF of two pages that states its language and is tagged for screen readers', () => {
    expect(file).toMatch(/^%PDF-1\.\d/)
    expect(file).toContain(`/Lang (${language})`)
    expect(file).toContain('/MarkInfo <</Type /MarkInfo\n/Marked true>>')
    expect(file).toContain('/DisplayDocTitle true')
    expect(file.match(/\/Type \/Page\n/g)).toHaveLength(2)
  })

  it('embeds its fonts', () => {
    const faces = file.match(/\/FontFile2 \d+ 0 R/g) ?? []
    expect(faces.length).toBeGreaterThan(0)
    expect(file.match(/\/Type \/FontDescriptor/g)).toHaveLength(faces.length)
  })

  it('has the same words as the app', () => {
    const document = documentOf(language, '')
    const { characterOverview, lsiType } = resultText(currentVersionOf('touchline-profile'), { lsi: 'play', mbti: 'ENFP' }, language)
    for (const words of [lsiType.content, ...characterOverview.content.split('\n')]) expect(document).toContain(words)
    // for the scores 9–2, 3–8, 5–6 and 1–10, in the words of the results screen
    const strengths = [...document.matchAll(/class="strength">([^<]*)</g)].map(([, word]) => word)
    expect(strengths).toEqual(
      language === 'en'
        ? ['clear', 'clear', 'between the two, almost even', 'strong']
        : ['nette', 'nette', 'entre les deux, presque à égalité', 'forte'],
    )
    expect(document).not.toMatch(/undefined|\{\{|\[object/)
  })
})
