import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatDate } from '#app/i18n/format.ts'
import { byLanguage, LANGUAGES } from '#contract/languages.ts'
import { SECTION_OF_DOUBT } from '#contract/rules/answer-doubts.ts'
import { paragraphsOf } from '#contract/rules/result-picture.ts'
import { isNextType } from '#contract/rules/clear-results.ts'
import { leaningOf } from '#sandbox/demo-accounts/leaning.ts'
import { contentVersions } from '#server/content/content.ts'
import { makeReport } from '#server/report/report.ts'
import { wordsOf } from '#server/words/words.ts'
import { readPdf, withoutSpace } from '#tests/support/pdf.ts'
import { ALL_BETWEEN, givenReport, inTheMiddle, STYLE_LEANINGS } from './given-report.ts'

/** A player's own report as a PDF. RESULTS-16 */

const MODES = {
  'one style': { experience: 1, do: 1, watch: 0, idea: 0 },
  'two styles': { experience: 1, do: 0, watch: 0, idea: 0 },
  'four styles': { experience: 0, do: 0, watch: 0, idea: 0 },
}
const KINDS = [0, 1, 2, 3, 4].flatMap((between) =>
  (['one style', 'two styles', 'four styles'] as const).map((modes) => [between, modes] as const),
)

const POLES = [...'EISNTFJP']
const POLE_NAMES = byLanguage((language) =>
  Object.fromEntries(POLES.map((pole) => [pole, `${withoutSpace(wordsOf(language).results[`ResultsPole${pole}`] ?? '-')}:`])),
)

describe.each(LANGUAGES)('the report in %s', (language) => {
  test('is A4, tagged, and says its title and language', async () => {
    const pdf = await readPdf(await makeReport(givenReport(language, leaningOf(1))))
    expect(pdf).toMatchObject({ language, isTagged: true })
    expect(pdf.title).toContain('Touchline Profile¹')
    expect(new Set(pdf.sizes.map(String))).toEqual(new Set(['595,842']))
    expect(pdf.roles.filter((role) => role === 'H1')).toHaveLength(1)
    for (const role of ['Document', 'Sect', 'H2', 'H3', 'P', 'L', 'LI', 'LBody', 'Figure']) expect(pdf.roles).toContain(role)
    expect(pdf.descriptions).toHaveLength(1)
  })

  test.each(contentVersions())('has 2 to 4 pages and at most 300 KB for any result of %s', async (version) => {
    for (let seed = 0; seed < 5; seed += 1) {
      const bytes = await makeReport(givenReport(language, leaningOf(seed), version))
      const { pages } = await readPdf(bytes)
      expect(pages.length, `seed ${seed}`).toBeGreaterThanOrEqual(2)
      expect(pages.length, `seed ${seed}`).toBeLessThanOrEqual(4)
      expect(bytes.length).toBeLessThanOrEqual(300_000)
    }
  })

  test.each(contentVersions())('breaks pages of %s where a heading or a part begins, and no list', async (version) => {
    const doubts = ['same-ranking', 'same-side', 'too-fast', 'same-agreement', 'opposites-alike']
    const leanings = [...Array.from({ length: 8 }, (_, seed) => leaningOf(seed)), ...STYLE_LEANINGS, ALL_BETWEEN]
    const reports = leanings.map((leaning) => givenReport(language, leaning, version)).flatMap((report) => [report, inTheMiddle(report)])
    for (const [number, report] of reports.entries()) {
      const results = { ...report.results, doubts: doubts.slice(0, number % 6) }
      const { pages, rolesOfPages } = await readPdf(await makeReport({ ...report, results, coachName: 'Alex Bergeron' }))
      expect(pages.length).toBeLessThanOrEqual(4)
      for (const roles of rolesOfPages.slice(1)) {
        // a P: the line that names the neighbours, above the first of them
        expect(roles.slice(0, roles[0] === 'P' ? 2 : 1).at(-1), `report ${number}: ${roles.join(' ')}`).toMatch(/^H[23]$/)
        expect(roles.at(-1), `report ${number}: ${roles.join(' ')}`).not.toMatch(/^H[123]$/)
      }
      const [title, coach] =
        language === 'en' ? ['Whatthelettersmean', 'Whatyourcoachcanread'] : ['Cequeveulentdireleslettres', 'Cequetoncoachpeutlire']
      const letters = pages.find((page) => page.includes(title))?.split(title)[1] ?? ''
      for (const { letter, first, second } of results.section2.axes)
        for (const one of letter === null ? [first, second] : [letter])
          expect(letters, `report ${number}`).toContain(POLE_NAMES[language][one])
      // not alone on a page
      expect(
        pages.find((page) => page.includes(coach)),
        `report ${number}`,
      ).toMatch(/Sportsperformers|Joueusesetjoueursconnus/)
    }
  })

  test.each(KINDS)('has 2 to 4 pages with %i letters between, %s, a long name and every doubt', async (between, modes) => {
    const leaning = { firstCounts: { EI: 4, SN: 7, TF: 3, JP: 8 }, modes: MODES[modes], seed: 0 }
    for (const [at, axis] of (['EI', 'SN', 'TF', 'JP'] as const).entries())
      leaning.firstCounts[axis] = at < between ? 5 + (at % 2) : 9 - 7 * (at % 2)
    const given = givenReport(language, leaning)
    expect(given.results.section2.axes.filter(({ letter }) => letter === null)).toHaveLength(between)
    const name = 'Wilhelmina '.repeat(18).trim()
    const { results, ...rest } = modes === 'four styles' ? inTheMiddle(given) : given
    const report = { ...rest, results: { ...results, doubts: Object.keys(SECTION_OF_DOUBT) }, playerName: name, coachName: name }
    const { pages, text } = await readPdf(await makeReport(report))
    expect(pages.length).toBeGreaterThanOrEqual(2)
    expect(pages.length).toBeLessThanOrEqual(4)
    for (const { name: neighbour } of [...(report.text.neighbours?.styles ?? []), ...(report.text.neighbours?.types ?? [])])
      expect(text).toContain(withoutSpace(neighbour))
  })

  test('says of each axis how often each side was chosen', async () => {
    const report = givenReport(language, leaningOf(4))
    const { text } = await readPdf(await makeReport(report))
    const of = language === 'en' ? 'of' : 'sur'
    for (const { firstCount, secondCount } of report.results.section2.axes) {
      expect(text).toContain(`${firstCount}${of}11`)
      expect(text).toContain(`${secondCount}${of}11`)
    }
  })

  test('shows both sides where nothing is clear, and names every neighbour', async () => {
    const report = inTheMiddle(givenReport(language, ALL_BETWEEN))
    const { text, pages } = await readPdf(await makeReport(report))
    expect(text).toContain(language === 'en' ? 'NoclearstyleE/IS/NT/FJ/P' : 'PasdestylenetE/IS/NT/FJ/P')
    expect(report.text.neighbours?.types).toHaveLength(15)
    // only those that differ in one letter are beside the nearest
    const names = (report.text.neighbours?.types ?? []).map(({ name }) => name)
    const [, beside = '', others = ''] =
      language === 'en'
        ? (/personalitytype:.*?eachofthese:(.*?)\.Alsopossible,withmorethanonedifference:(.*?)\./.exec(text) ?? [])
        : (/typedepersonnalité.*?chacundeceux-là:(.*?)\.Possiblesaussi,avecplusd’unedifférence:(.*?)\./.exec(text) ?? [])
    const isNext = (name: string) => isNextType(report.results.section2.value, name)
    expect(names.filter((name) => beside.includes(name))).toEqual(names.filter(isNext))
    expect(names.filter((name) => others.includes(name))).toEqual(names.filter((name) => !isNext(name)))
    expect(names.filter(isNext)).toHaveLength(4)
    expect(pages.length).toBeLessThanOrEqual(4)
  })

  test('names a single neighbour as one', async () => {
    // three letters are clear, and the style
    const report = givenReport(language, { firstCounts: { EI: 9, SN: 3, TF: 5, JP: 1 }, modes: MODES['one style'], seed: 0 })
    const [other] = report.text.neighbours?.types ?? []
    expect(report.text.neighbours?.types).toHaveLength(1)
    const { text } = await readPdf(await makeReport(report))
    const between = language === 'en' ? 'Youarebetweenthisoneand' : 'Tutesituesentrecelui-ciet'
    expect(text).toContain(`${between}${withoutSpace(other?.name ?? '-')}.`)
  })

  test('says only under what stood out that it rests on four answers each', async () => {
    const limit = withoutSpace(wordsOf(language).results['ResultsOverviewStandOutLimit'] ?? '')
    const seen = new Set<boolean>()
    for (let seed = 0; seed < 8; seed += 1) {
      const report = givenReport(language, leaningOf(seed))
      const isOut = paragraphsOf(report.text.characterOverview.content).length === 5
      seen.add(isOut)
      expect((await readPdf(await makeReport(report))).text.includes(limit), `seed ${seed}`).toBe(isOut)
    }
    expect(seen.size).toBe(2)
  })

  test('names as an example the pair of letters that the player lies between', async () => {
    const between = { ...leaningOf(4), firstCounts: { EI: 9, SN: 3, TF: 5, JP: 1 } }
    const { text } = await readPdf(await makeReport(givenReport(language, between)))
    expect(text).toContain(language === 'en' ? 'asinT/F,' : 'commeT/F,')
    expect(text).not.toContain('E/I')
  })

  test('has the texts of up to three neighbouring types, and the names of more', async () => {
    for (const [TF, written] of [
      [9, true],
      [5, false],
    ] as const) {
      const report = givenReport(language, { ...leaningOf(4), firstCounts: { EI: 6, SN: 5, TF, JP: 1 } })
      const { text } = await readPdf(await makeReport(report))
      const types = report.text.neighbours?.types ?? []
      expect(types).toHaveLength(written ? 3 : 7)
      for (const { name, content } of types) {
        expect(text).toContain(name)
        expect(text.includes(withoutSpace(content))).toBe(written)
      }
    }
  })

  test('says "one of the nearest" where another style is exactly as near', async () => {
    const [tied, near] = language === 'en' ? ['oneofthenearest', 'thenearest'] : ['l’undesplusproches', 'leplusproche']
    const report = givenReport(language, ALL_BETWEEN)
    const isNearest = (await readPdf(await makeReport(report))).text
    expect(isNearest).toContain(`,${near}`)
    expect(isNearest).not.toContain(`,${tied}`)
    const isTied = (await readPdf(await makeReport(inTheMiddle(report)))).text
    expect(isTied).toContain(`,${tied}`)
    expect(isTied).not.toContain(`,${near}`)
    expect(isTied).toContain(language === 'en' ? 'Oneofthenearestlearningstyles:' : 'Undesstylesd’apprentissagelesplusproches:')
  })

  test.each(['2026-01-01', '2026-11-24', '2027-02-28'])('says the date %s as the results screen does', async (day) => {
    const { text } = await readPdf(await makeReport({ ...givenReport(language, leaningOf(1)), completed: new Date(`${day}T12:00:00Z`) }))
    expect(text).toContain(
      withoutSpace(
        `Léa Marchand · ${language === 'en' ? 'Completed on' : 'Évaluation terminée le'} ${formatDate(`${day}T12:00:00`, language)}`,
      ),
    )
  })

  test('has all its texts, and no placeholder is left', async () => {
    const { text } = await readPdf(await makeReport({ ...givenReport(language, ALL_BETWEEN), coachName: 'Alex Bergeron' }))
    expect(text).not.toMatch(/undefined|null|NaN|\{\{|\[object|Results[A-Z]/)
    expect(text).toContain('AlexBergeron')
  })

  test('says of a coach whose account was erased that nobody else reads it, not until when', async () => {
    const { text } = await readPdf(
      await makeReport({ ...givenReport(language, ALL_BETWEEN), coachName: '', isCoachClosed: true, isCoachErased: true }),
    )
    expect(text).toMatch(language === 'en' ? /accountofthecoach.*waserased/ : /comptedu.*aétéeffacé/)
    expect(text).not.toMatch(/Aslongas|Tantqu/)
  })

  test('of an invented player says on every page that it is a sample', async () => {
    const { pages } = await readPdf(await makeReport({ ...givenReport(language, leaningOf(1)), isSample: true }))
    for (const page of pages) expect(page).toContain(language === 'en' ? 'Sample:' : 'Exemple:')
  })
})

test('says what is doubtful about the answers', async () => {
  const report = givenReport('en', leaningOf(5))
  const results = { ...report.results, doubts: ['same-side', 'from-a-later-version'] }
  const { text } = await readPdf(await makeReport({ ...report, results }))
  expect(text).toContain(withoutSpace('In section 2 you chose the sentence in the same place almost every time.'))
  expect(text).toContain(withoutSpace('Read this result with even more care.'))
})

test('the same result gives the same bytes', async () => {
  const [once, again] = [await makeReport(givenReport('en', leaningOf(5))), await makeReport(givenReport('en', leaningOf(5)))]
  expect(once.equals(again)).toBe(true)
})

test('without a name the report begins with the date', async () => {
  const { text } = await readPdf(await makeReport({ ...givenReport('en', leaningOf(5)), playerName: '' }))
  expect(text).not.toContain('·Completed')
  expect(text).toContain('Completedon1stMay2026')
})

test.each(['محمد', '李雷', '김민준', 'สมชาย', 'अर्जुन', 'Արամ', 'Zoë 🦊', '\u200b'])(
  'a name that the fonts cannot set, as %s, is left out',
  async (name) => {
    const { text } = await readPdf(await makeReport({ ...givenReport('en', leaningOf(5)), playerName: name, coachName: name }))
    expect(text).not.toContain('□')
    expect(text).not.toContain('·Completed')
    expect(text).toContain('Thecoachwhogaveyouthisassessment')
  },
)

test('a name is printed without what is invisible in it', async () => {
  const { text } = await readPdf(await makeReport({ ...givenReport('en', leaningOf(5)), playerName: '\u202eZo\u00ade\u0308\u200b Łukasz' }))
  expect(text).toContain(withoutSpace('Zoë Łukasz · Completed'))
})

test('an assessment whose name the fonts cannot print is called by the product’s name', async () => {
  const { text, title } = await readPdf(await makeReport({ ...givenReport('en', leaningOf(5)), assessmentName: '性格<sup>1</sup>' }))
  expect(title).toBe('Touchline: your report')
  expect(text).toContain('Touchline,yourreport')
})

test('no name makes the report fail', async () => {
  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 120 }),
    fc.string({
      unit: fc.constantFrom('ا', 'ש', '👩‍👩‍👧', '🇫🇷', '\u202e', '\u0301', '\u200d', '\n', '\0', '\ud800', 'W', ' '),
      maxLength: 120,
    }),
  )
  await fc.assert(
    fc.asyncProperty(name, name, async (playerName, coachName) => {
      const { pages } = await readPdf(await makeReport({ ...givenReport('fr', leaningOf(3)), playerName, coachName }))
      expect(pages.length).toBeLessThanOrEqual(4)
    }),
    { numRuns: 15 },
  )
})
