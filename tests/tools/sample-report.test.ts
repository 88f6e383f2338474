import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#contract/languages.ts'
import { sampleReportOf } from '#server/content/content.ts'
import { readPdf } from '#tests/support/pdf.ts'
import { sampleReport } from '#tools/sample-report.ts'

describe.each(LANGUAGES)('the sample report (%s)', (language) => {
  const file = readFileSync(new URL(`../../public/media/sample/${sampleReportOf('touchline-profile', language)}`, import.meta.url))

  // else: node src/tools/sample-report.ts
  it('is the report that the code makes of the invented answers', async () => {
    expect(await readPdf(file)).toEqual(await readPdf(await sampleReport(language)))
  })

  it('embeds its fonts, and only the letters it needs', () => {
    const source = file.toString('latin1')
    const faces = source.match(/\/FontFile2 \d+ 0 R/g) ?? []
    expect(faces).toHaveLength(2)
    expect(source.match(/\/Type \/FontDescriptor/g)).toHaveLength(2)
    expect(file.length).toBeLessThan(100_000)
  })

  it('says on every page that it is a sample', async () => {
    const { pages, isTagged, language: said } = await readPdf(file)
    expect([isTagged, said]).toEqual([true, language])
    for (const page of pages) expect(page).toContain(language === 'en' ? 'Sample:theplayerisinvented' : 'Exemple:lapersonneestinventée')
  })
})
