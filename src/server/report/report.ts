import { setImmediate as breathe } from 'node:timers/promises'
import type { ResultText } from '#contract/assessments.ts'
import type { Results } from '#contract/instances.ts'
import type { Language } from '#contract/languages.ts'
import { plainName } from '#contract/rules/assessment-name.ts'
import { DOUBT_KEYS } from '#contract/rules/doubt-keys.ts'
import {
  countClear,
  isPole,
  lettersSentenceKey,
  OVERVIEW_HEADINGS,
  overviewNoteKey,
  POLE_KEYS,
  POLE_LINE_KEYS,
  spotSentenceKey,
  STAND_OUT,
  styleSentenceKey,
  styleTitleKey,
  TOWARDS_KEYS,
  typeTitleKey,
} from '#contract/rules/result-keys.ts'
import { firstPairBetween, lettersOf, letterLine, resultLine } from '#contract/rules/result-line.ts'
import { nameInReport } from '#contract/rules/report-letters.ts'
import { leadingModes, paragraphsOf } from '#contract/rules/result-picture.ts'
import { isNextStyle, isNextType } from '#contract/rules/clear-results.ts'
import { list, listHeight, paragraph, paragraphHeight, part, partHeight, section, sectionHeight, sum } from './blocks.ts'
import { canSet } from './letters.ts'
import { drawBars, drawPitch } from './picture.ts'
import { reportWords, type ReportWords } from './report-words.ts'
import { createSheets, darkGreen, EDGE, green, WIDTH, type Sheets } from './sheet.ts'

/** A player's own result as a PDF: picture first, then words, as on the results screen. RESULTS-16 */

export interface ReportGiven {
  language: Language
  /** may contain <sup> and <sub> */
  assessmentName: string
  /** '' without one */
  playerName: string
  completed: Date
  /** in which the day of completion is written; UTC if it is missing or unknown here */
  timeZone?: string | undefined
  results: Results
  text: ResultText
  /** the coach who allocated the assessment; '' without a name, null if nobody did */
  coachName: string | null
  /** that coach has closed the account, and so reads nothing */
  isCoachClosed?: boolean
  /** for good */
  isCoachErased?: boolean
  /** of an invented player: every page says so */
  isSample?: boolean
}

/** All names are as they are printed. */
interface Drawing extends ReportGiven {
  sheets: Sheets
  words: ReportWords
  /** how many neighbours of a style or type come with their texts; the others are only named */
  neighboursWritten: number
}

const PAGES_MAXIMUM = 4
/** A report that would take more pages is drawn again with the next number: then more neighbours are only named. RESULTS-16 */
const NEIGHBOURS_WRITTEN = [3, 1, 0] as const

export async function makeReport(given: ReportGiven): Promise<Buffer<ArrayBuffer>> {
  const { language, completed, isSample, coachName } = given
  const words = reportWords(language, given.timeZone)
  const line = resultLine(given.results, words.say('NoClearStyle'))
  const name = printedName(given.assessmentName)
  const title = words.say(isSample ? 'ReportSampleTitle' : 'ReportTitle', { name })
  const names = {
    assessmentName: name,
    playerName: nameInReport(given.playerName) ?? '',
    coachName: coachName === null ? null : (nameInReport(coachName) ?? ''),
  }
  const sheets = await drawWithin(PAGES_MAXIMUM, (neighboursWritten) => {
    const drawing = { ...given, ...names, words, neighboursWritten, sheets: createSheets({ title, language, at: completed }) }
    return drawAll(drawing, line)
  })
  return sheets.end((page, pages) => ({
    left: isSample ? words.say('ReportSampleFoot') : [words.say('ReportFoot', { name }), line].join(' · '),
    right: words.say('ReportPage', { page, pages }),
  }))
}

async function drawWithin(pages: number, draw: (neighboursWritten: number) => Promise<Sheets>): Promise<Sheets> {
  const [first, ...fewer] = NEIGHBOURS_WRITTEN
  let sheets = await draw(first)
  for (const neighboursWritten of fewer) {
    if (sheets.count() <= pages) break
    sheets = await draw(neighboursWritten)
  }
  return sheets
}

/** Between its parts other calls get their turn, so that none waits for a whole report. */
async function drawAll(drawing: Drawing, line: string): Promise<Sheets> {
  drawHead(drawing, line)
  for (const draw of [drawPicture, drawLimits, drawLetters, drawOverview, drawTypes, drawPerformers, drawCoach]) {
    await breathe()
    draw(drawing)
  }
  await breathe()
  return drawing.sheets
}

/** The operator's own name of an assessment may have letters that the fonts lack. */
function printedName(assessmentName: string): string {
  const name = plainName(assessmentName).normalize('NFC')
  return canSet(name) ? name : 'Touchline'
}

/** On grass: the assessment, the result, and whose it is. */
function drawHead({ sheets, words, assessmentName, playerName, completed, isSample }: Drawing, line: string): void {
  const { doc, decorate, write, heightOf, widthOf } = sheets
  const who = [playerName, words.say('ResultsCompletedOn', { date: words.date(completed) })].filter(Boolean).join(' · ')
  const width = WIDTH - (isSample ? 110 : 0)
  const [first, second, third] = [heightOf(assessmentName, 'onGrass', width), heightOf(line, 'name'), heightOf(who, 'onGrass')]
  const height = 34 + first + second + third + 26
  // right of the name: through it, the halfway line looks like a letter
  const halfway = Math.max(390, EDGE + widthOf(line, 'name') + 12)
  decorate(() => {
    doc.rect(0, 0, 596, height).fill(darkGreen)
    for (let stripe = 0; stripe < 4; stripe += 1) doc.rect(stripe * 149, 0, 74.5, height).fill(green)
    doc.rect(0, 0, 596, height).clip().lineWidth(2).strokeColor('#4a8a68')
    doc.moveTo(halfway, 0).lineTo(halfway, height).stroke()
    doc.circle(halfway, height + 8, height * 0.5).stroke()
  })
  if (isSample) {
    decorate(() => doc.roundedRect(EDGE + WIDTH - 90, 30, 90, 22, 11).fill('#ffd07a'))
    write('P', words.say('ReportSample'), 'badge', { x: EDGE + WIDTH - 90, y: 34.5, width: 90, align: 'center' })
  }
  let y = write('P', assessmentName, 'onGrass', { x: EDGE, y: 34, width })
  y = write('H1', line, 'name', { x: EDGE, y, width: WIDTH })
  write('P', who, 'onGrass', { x: EDGE, y, width: WIDTH })
  sheets.moveTo(height + 14)
}

const GAP = 34

/** How certain it is in two sentences, then the bars beside the pitch. RESULTS-12 */
function drawPicture({ sheets, words, results }: Drawing): void {
  const { say } = words
  for (const sentence of certaintyOf(results, words)) sheets.add('P', sentence, 'text')
  const width = (WIDTH - GAP) / 2
  const [left, right] = [EDGE, EDGE + width + GAP]
  const top = sheets.y() + 12
  const ends: number[] = []
  const column = (title: string, x: number, draw: (y: number) => number, caption: string) =>
    sheets.within('Sect', () => {
      sheets.bookmark(title)
      const from = sheets.write('H2', title, 'section', { x, y: top, width })
      ends.push(sheets.write('P', caption, 'soft', { x, y: draw(from + 6) + 4, width }))
    })
  const given = { sheets, words, results }
  column(say('ResultsPreferencesTitle'), left, (y) => drawBars(given, { x: left, y, width }), say('ResultsPreferencesText'))
  const caption = `${say('ResultsModesText')} ${say(spotSentenceKey(results.Section1))}`
  column(say('ResultsModesTitle'), right, (y) => drawPitch(given, { x: right, y, width }), caption)
  sheets.moveTo(Math.max(...ends))
}

function certaintyOf({ Section1, section2 }: Results, { say, list }: ReportWords): string[] {
  const modes = list(leadingModes(Section1.axes).map((mode) => say(TOWARDS_KEYS[mode])))
  const [nearest, other] = Section1.styles
  return [
    say(styleSentenceKey(Section1), { style: nearest?.result ?? Section1.result, other: other?.result ?? '', modes }),
    say(lettersSentenceKey(section2), { count: countClear(section2), pair: firstPairBetween(section2) }),
  ]
}

/** Results stored by other builds may have doubts that this one does not know. RESULTS-15 */
const DOUBTS: Partial<Record<string, string>> = DOUBT_KEYS

function drawLimits(drawing: Drawing): void {
  const { say } = drawing.words
  const doubts = (drawing.results.doubts ?? []).flatMap((doubt) => DOUBTS[doubt] ?? [])
  const paragraphs = [
    `${say('ResultsLimitsText')} ${say('ReportLimits')}`,
    ...doubts.map((key) => say(key)),
    ...(doubts.length > 0 ? [say('DoubtsInResult')] : []),
    ...(drawing.isSample ? [] : [say('ReportYours')]),
  ]
  section(drawing, say('ResultsLimitsTitle'), sum(paragraphs.map((text) => paragraphHeight(drawing, text))), () => {
    for (const text of paragraphs) paragraph(drawing, text)
  })
}

/** Each letter in a line; where neither is clear, both. */
function drawLetters(drawing: Drawing): void {
  const { words, results } = drawing
  const { say } = words
  const lines = lettersOf(letterLine(results.section2)).flatMap((letters) =>
    letters
      .split('/')
      .filter(isPole)
      .map((letter) => {
        const explained = say('ResultsPoleLine', { name: say(POLE_KEYS[letter]), line: say(POLE_LINE_KEYS[letter]) })
        return `${letters.replace('/', ' / ')}\u00a0\u00a0${explained}`
      }),
  )
  section(drawing, say('ResultsLettersTitle'), listHeight(drawing, lines), () => list(drawing, lines))
}

function drawOverview(drawing: Drawing): void {
  const { words, results, text } = drawing
  const { say } = words
  const paragraphs = paragraphsOf(text.characterOverview.content)
  const headings = OVERVIEW_HEADINGS[paragraphs.length]
  const noteKey = overviewNoteKey(results)
  const note = noteKey && say(noteKey, { style: results.Section1.result, type: results.section2.label })
  const [first = ''] = paragraphs
  const firstHeading = headings?.[0]
  const together =
    (note ? paragraphHeight(drawing, note, 'soft') : 0) +
    (firstHeading === undefined ? paragraphHeight(drawing, first) : partHeight(drawing, say(firstHeading), first))
  section(drawing, say('ResultsOverviewTitle'), together, () => {
    if (note) paragraph(drawing, note, 'soft')
    for (const [index, content] of paragraphs.entries()) {
      const heading = headings?.[index]
      if (heading === undefined) {
        paragraph(drawing, content)
        continue
      }
      const limit = heading === STAND_OUT ? say('ResultsOverviewStandOutLimit') : ''
      if (limit !== '') drawing.sheets.ensure(partHeight(drawing, say(heading), content) + paragraphHeight(drawing, limit, 'soft'))
      part(drawing, say(heading), content)
      if (limit !== '') paragraph(drawing, limit, 'soft')
    }
  })
}

function drawTypes(drawing: Drawing): void {
  const { words, results, text } = drawing
  const { say } = words
  const { Section1, section2 } = results
  const parts = [
    {
      title: say(styleTitleKey(Section1), { name: Section1.result }),
      content: text.lsiType.content,
      neighbours: text.neighbours?.styles ?? [],
      isNext: ({ value }: { value: string }) => isNextStyle(Section1.value, value),
    },
    {
      title: say(typeTitleKey(section2), { name: section2.label }),
      content: text.mbtiType.content,
      neighbours: text.neighbours?.types ?? [],
      isNext: ({ value }: { value: string }) => isNextType(section2.value, value),
    },
  ]
  for (const { title, content, neighbours, isNext } of parts) {
    const next = neighbours.filter(isNext)
    const others = neighbours.filter((one) => !isNext(one))
    const [nearest] = next
    const isWritten = neighbours.length <= drawing.neighboursWritten
    const named = [
      say('ReportNeighbours', { list: words.list(next.map(({ name }) => name)), count: next.length }),
      ...(others.length > 0 ? [say('ReportNeighboursAlso', { list: words.list(others.map(({ name }) => name)) })] : []),
    ].join(' ')
    section(drawing, title, paragraphHeight(drawing, content) + (isWritten ? 0 : paragraphHeight(drawing, named)), () => {
      paragraph(drawing, content)
      if (!nearest) return
      if (isWritten) drawing.sheets.ensure(paragraphHeight(drawing, named) + partHeight(drawing, nearest.name, nearest.content))
      paragraph(drawing, named)
      if (isWritten) for (const { name, content: own } of [...next, ...others]) part(drawing, name, own)
    })
  }
}

function drawPerformers(drawing: Drawing): void {
  const { words, text } = drawing
  const names = text.sportsPerformers.content.map(({ sportPerson }) => sportPerson)
  if (names.length === 0) return
  const introduction = words.say('ResultsPerformersText')
  // with what comes last, which would look lost on a page of its own
  const together = paragraphHeight(drawing, introduction) + listHeight(drawing, names) + coachHeight(drawing)
  section(drawing, words.say('ResultsPerformersTitle'), together, () => {
    paragraph(drawing, introduction)
    list(drawing, names)
  })
}

/** What a coach can read of it, if a coach allocated the assessment. PRIVACY-2 */
function drawCoach(drawing: Drawing): void {
  if (drawing.coachName === null) return
  const { words } = drawing
  const text = coachText(drawing)
  section(drawing, words.say('ReportCoachTitle'), paragraphHeight(drawing, text), () => paragraph(drawing, text))
}

function coachHeight(drawing: Drawing): number {
  if (drawing.coachName === null) return 0
  return sectionHeight(drawing, drawing.words.say('ReportCoachTitle'), paragraphHeight(drawing, coachText(drawing)))
}

function coachText({ words: { say }, coachName, isCoachClosed, isCoachErased }: Drawing): string {
  if (isCoachErased) return say('ReportCoachErased')
  if (isCoachClosed) return say('ReportCoachClosed')
  return !coachName ? say('ReportSomeCoach') : say('ReportCoach', { name: coachName })
}
