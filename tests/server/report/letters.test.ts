import { describe, expect, test } from 'vitest'
import { nameInReport } from '#contract/rules/report-letters.ts'
import { leaningOf } from '#sandbox/demo-accounts/leaning.ts'
import { fontOf } from '#server/report/letters.ts'
import { makeReport } from '#server/report/report.ts'
import { filesBelow, read } from '#tests/house/source-files.ts'
import { readPdf, unicodeMaps, withoutSpace } from '#tests/support/pdf.ts'
import { givenReport, STYLE_LEANINGS } from './given-report.ts'

/** The text layer of a report: what a screen reader reads, and what is searched and copied. RESULTS-16 */

// the first report: fonts store a letter first met as a part of Š or ğ, or under another of its code points, and every later report reads that
test('no name makes later reports lose the text of their letters', async () => {
  const names = ['ÀÇÉÈÊÎÔÙÛŠŽŞĞİ', 'àçéèêîôùûšžşğı', 'a\u2011b\u00a0c', 'Ọ\u0300 ọ\u0300 J\u0301']
  for (const playerName of names)
    expect(emptyEntries(await makeReport({ ...givenReport('fr', leaningOf(4)), playerName, assessmentName: playerName }))).toEqual([])
})

test.each([
  'Şığ',
  'İpek Çağlar',
  'Šárka Žižková',
  'Nguyễn Thị Ánh',
  'Δημήτρης',
  'Ольга Щербакова',
  'Jean-Luc',
  'Zoë Łukasz Ørsted',
  'Jeff Taft',
])('the name %s can be searched and copied', async (playerName) => {
  const { text } = await readPdf(await makeReport({ ...givenReport('en', leaningOf(4)), playerName }))
  expect(text).toContain(withoutSpace(playerName))
})

test.each(['en', 'fr'] as const)('every word of every style can be read in %s', async (language) => {
  const seen = new Set<string>()
  for (const leaning of STYLE_LEANINGS) {
    const given = givenReport(language, leaning)
    seen.add(given.results.Section1.value)
    const bytes = await makeReport(given)
    expect(emptyEntries(bytes)).toEqual([])
    const { text } = await readPdf(bytes)
    const { lsiType, mbtiType, characterOverview } = given.text
    for (const content of [given.results.Section1.result, lsiType.content, mbtiType.content, ...characterOverview.content.split('\n')])
      expect(text).toContain(withoutSpace(content))
  }
  expect(seen.size).toBe(4)
})

describe('the fonts have', () => {
  const lacking = (texts: readonly string[]) =>
    [...new Set(texts.flatMap((text) => Array.from(text)))].filter(
      (one) => !(['regular', 'bold'] as const).every((face) => fontOf(face).hasGlyphForCodePoint(one.codePointAt(0) ?? 0)),
    )

  test('every letter of a name that is printed', () => {
    const printed = Array.from({ length: 0x11000 }, (_, codePoint) => nameInReport(String.fromCodePoint(codePoint)) ?? '')
    expect(printed.filter(Boolean).length).toBeGreaterThan(800)
    expect(lacking(printed)).toEqual([])
  })

  test('every letter of the report’s words and of the content', () => {
    const paths = ['locales', 'src/server/content'].flatMap((folder) => filesBelow(folder, /\.json$/))
    expect(paths.length).toBeGreaterThan(20)
    expect(lacking(paths.map((path) => read(path).replaceAll('\n', '')))).toEqual([])
  })
})

const emptyEntries = (bytes: Uint8Array) => unicodeMaps(bytes).filter((map) => map.includes('<>'))
