/**
 * The sample report that cards and results link to (§3 Results, §4): two pages with the texts of a real one,
 * for a person who does not exist. Its PDF is committed: run `node src/tools/sample-report.ts` after a change.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { overviewOf } from '#server/content/overview.ts'
import words from '#server/content/touchline-profile-1/results.en.json' with { type: 'json' }

type Font = 'regular' | 'bold'
type Colour = readonly [red: number, green: number, blue: number]

const file = new URL('../../public/media/sample/assessmentSampleReportImpact.pdf', import.meta.url)

const page = { width: 595, height: 842, margin: 48 }
const column = page.width - 2 * page.margin

const grass: Colour = [11, 70, 46]
const mown: Colour = [15, 84, 56]
const chalk: Colour = [248, 248, 241]
const amber: Colour = [246, 183, 60]
const ink: Colour = [24, 36, 30]
const quiet: Colour = [84, 98, 90]
const track: Colour = [218, 226, 220]

/** Adobe's advance widths of the standard Helvetica faces, for the characters 32 to 126, in thousandths. */
const widths: Record<Font, readonly number[]> = {
  regular: [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278,
    278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722,
    667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556,
    556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
  ],
  bold: [
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333,
    333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722,
    667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611,
    611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
  ],
}

/** WinAnsi's own places for the signs our texts use; everything else is Latin-1. */
const winAnsi: Record<string, { code: number; regular: number; bold: number }> = {
  '…': { code: 0x85, regular: 1000, bold: 1000 },
  '‘': { code: 0x91, regular: 222, bold: 278 },
  '’': { code: 0x92, regular: 222, bold: 278 },
  '“': { code: 0x93, regular: 333, bold: 500 },
  '”': { code: 0x94, regular: 333, bold: 500 },
  '–': { code: 0x96, regular: 556, bold: 556 },
  '·': { code: 0xb7, regular: 278, bold: 278 },
}

function widthOf(text: string, font: Font, size: number): number {
  let thousandths = 0
  for (const sign of text) {
    const base = sign.normalize('NFD').charCodeAt(0) // an accent takes no room of its own
    thousandths += winAnsi[sign]?.[font] ?? widths[font][base - 32] ?? 556
  }
  return (thousandths * size) / 1000
}

function encode(text: string): string {
  let bytes = ''
  for (const sign of text) {
    const code = winAnsi[sign]?.code ?? sign.charCodeAt(0)
    if (code > 255) throw new Error(`No place in WinAnsi for ${sign}`)
    bytes += `${sign === '(' || sign === ')' || sign === '\\' ? '\\' : ''}${String.fromCharCode(code)}`
  }
  return `(${bytes})`
}

function wrap(text: string, font: Font, size: number, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (widthOf(longer, font, size) <= width) line = longer
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line]
}

const number = (value: number) => String(Math.round(value * 100) / 100)
const numbers = (...values: number[]) => values.map(number).join(' ')
const paint = (colour: Colour, operator: 'rg' | 'RG') => `${numbers(...colour.map((part) => part / 255))} ${operator}`

/** A page's drawing. Points are measured from the top left, y downwards. */
class Sheet {
  readonly drawn: string[] = []

  put(...operators: string[]): void {
    this.drawn.push(...operators)
  }

  box(x: number, y: number, width: number, height: number, colour: Colour): void {
    this.put(paint(colour, 'rg'), `${numbers(x, page.height - y - height, width, height)} re f`)
  }

  shape(points: readonly (readonly [number, number])[], end: string): void {
    const path = points.map(([x, y], place) => `${numbers(x, page.height - y)} ${place === 0 ? 'm' : 'l'}`)
    this.put(...path, end)
  }

  circle(x: number, y: number, radius: number, end: string): void {
    const [cy, k] = [page.height - y, radius * 0.5523]
    this.put(
      `${numbers(x + radius, cy)} m`,
      `${numbers(x + radius, cy + k, x + k, cy + radius, x, cy + radius)} c`,
      `${numbers(x - k, cy + radius, x - radius, cy + k, x - radius, cy)} c`,
      `${numbers(x - radius, cy - k, x - k, cy - radius, x, cy - radius)} c`,
      `${numbers(x + k, cy - radius, x + radius, cy - k, x + radius, cy)} c`,
      end,
    )
  }

  /** One line, `y` at its foot. */
  text(text: string, x: number, y: number, font: Font, size: number, colour: Colour, align: 'left' | 'middle' | 'right' = 'left'): void {
    const shift = { left: 0, middle: 0.5, right: 1 }[align] * widthOf(text, font, size)
    const place = numbers(x - shift, page.height - y)
    this.put('BT', paint(colour, 'rg'), `/${font} ${size} Tf`, `${place} Td`, `${encode(text)} Tj`, 'ET')
  }

  /** A paragraph; answers the foot of its last line. */
  paragraph(text: string, x: number, y: number, width: number, size = 10, colour: Colour = ink): number {
    const lines = wrap(text, 'regular', size, width)
    lines.forEach((line, place) => this.text(line, x, y + place * size * 1.5, 'regular', size, colour))
    return y + (lines.length - 1) * size * 1.5
  }

  watermark(text: string): void {
    const size = 132
    const [cos, sin] = [Math.cos(0.9), Math.sin(0.9)]
    const half = widthOf(text, 'bold', size) / 2
    const [x, y] = [page.width / 2 - cos * half + (sin * size) / 3, 370 - sin * half - (cos * size) / 3]
    this.put('BT', paint([240, 244, 240], 'rg'), `/bold ${size} Tf`, `${numbers(cos, sin, -sin, cos, x, y)} Tm`, `${encode(text)} Tj`, 'ET')
  }
}

/** Grass with the touchline, the halfway line and the centre circle, and what stands on it. */
function header(sheet: Sheet, height: number): void {
  sheet.put('q', `${numbers(0, page.height - height, page.width, height)} re W n`)
  const stripe = page.width / 8
  for (let place = 0; place < 8; place++) sheet.box(place * stripe, 0, stripe, height, place % 2 === 0 ? grass : mown)
  sheet.put(paint([46, 112, 82], 'RG'), '3 w')
  sheet.shape(
    [
      [0, 26],
      [page.width, 22],
    ],
    'S',
  )
  sheet.shape(
    [
      [476, 24],
      [476, height],
    ],
    'S',
  )
  sheet.circle(476, height + 8, height * 0.5, 'S')
  sheet.put('Q')
}

function badge(sheet: Sheet, y: number): void {
  const width = widthOf('SAMPLE', 'bold', 11) + 20
  sheet.box(page.width - page.margin - width, y - 16, width, 23, amber)
  sheet.text('SAMPLE', page.width - page.margin - width / 2, y, 'bold', 11, ink, 'middle')
}

function footer(sheet: Sheet, place: number): void {
  sheet.text('Touchline · a sample: the person is invented, the words are those of a real report.', page.margin, 812, 'regular', 8, quiet)
  sheet.text(`${place} of 2`, page.width - page.margin, 812, 'regular', 8, quiet, 'right')
}

function heading(sheet: Sheet, text: string, x: number, y: number): void {
  sheet.text(text, x, y, 'bold', 14, grass)
}

/** Answers out of the 11 pairs of an axis, for its first pole. */
const preferences = [
  { first: 'Outgoing (E)', second: 'Reserved (I)', forFirst: 9 },
  { first: 'What is there (S)', second: 'What could be (N)', forFirst: 3 },
  { first: 'Reasons (T)', second: 'People (F)', forFirst: 5 },
  { first: 'Settled (J)', second: 'Open (P)', forFirst: 1 },
]
const pairs = 11

function strength(most: number): string {
  if (most === 6) return 'close call'
  if (most <= 8) return 'slight'
  return most === 9 ? 'clear' : 'strong'
}

function preferenceBars(sheet: Sheet, x: number, y: number, width: number): void {
  preferences.forEach(({ first, second, forFirst }, place) => {
    const isFirst = forFirst * 2 > pairs
    const most = Math.max(forFirst, pairs - forFirst)
    const share = most / pairs
    const top = y + place * 46
    sheet.text(first, x, top, isFirst ? 'bold' : 'regular', 9.5, isFirst ? ink : quiet)
    sheet.text(second, x + width, top, isFirst ? 'regular' : 'bold', 9.5, isFirst ? quiet : ink, 'right')
    sheet.box(x, top + 6, width, 9, track)
    sheet.box(isFirst ? x : x + width * (1 - share), top + 6, width * share, 9, grass)
    sheet.box(x + width / 2 - 0.75, top + 3, 1.5, 15, amber)
    const figure = `${Math.round(share * 100)} % · ${strength(most)}`
    sheet.text(figure, isFirst ? x : x + width, top + 26, 'regular', 8.5, quiet, isFirst ? 'left' : 'right')
  })
}

/** Sums of the ranking, 12 to 48 each. */
const modes = { experience: 39, do: 35, watch: 26, idea: 20 }

function modeShape(sheet: Sheet, x: number, y: number, side: number): void {
  const [cx, cy, reach] = [x + side / 2, y + side / 2, side / 2]
  sheet.box(x, y, side, side, grass)
  sheet.box(x, y, reach, reach, mown)
  sheet.box(cx, cy, reach, reach, mown)
  sheet.put(paint(chalk, 'RG'), '1.2 w')
  sheet.shape(
    [
      [x + 6, y + 6],
      [x + side - 6, y + 6],
      [x + side - 6, y + side - 6],
      [x + 6, y + side - 6],
    ],
    's',
  )
  sheet.shape(
    [
      [x + 6, cy],
      [x + side - 6, cy],
    ],
    'S',
  )
  sheet.shape(
    [
      [cx, y + 6],
      [cx, y + side - 6],
    ],
    'S',
  )
  sheet.circle(cx, cy, side * 0.17, 'S')
  const far = (sum: number) => ((sum - 4) / 44) * (reach - 8)
  sheet.put(paint(amber, 'rg'), paint(amber, 'RG'), '2.5 w 1 j', '/veil gs')
  sheet.shape(
    [
      [cx, cy - far(modes.experience)],
      [cx + far(modes.do), cy],
      [cx, cy + far(modes.idea)],
      [cx - far(modes.watch), cy],
    ],
    'b',
  )
  sheet.put('/full gs')
  sheet.text(`Experience ${modes.experience}`, cx, y - 6, 'bold', 9, ink, 'middle')
  sheet.text(`Do ${modes.do}`, x + side + 6, cy + 3, 'bold', 9, ink)
  sheet.text(`Idea ${modes.idea}`, cx, y + side + 13, 'regular', 9, quiet, 'middle')
  sheet.text(`Watch ${modes.watch}`, x - 6, cy + 3, 'regular', 9, quiet, 'right')
}

const style = words.styles.play
const type = words.types.ENFP

function firstPage(): Sheet {
  const sheet = new Sheet()
  sheet.watermark('SAMPLE')
  header(sheet, 176)
  badge(sheet, 66)
  sheet.text('Touchline Profile', page.margin, 66, 'bold', 13, chalk)
  sheet.text(`${style.name} ENFP`, page.margin, 118, 'bold', 38, chalk)
  sheet.text('Robin Sample · midfielder · 14th Mar 2026', page.margin, 148, 'regular', 11, chalk)

  heading(sheet, 'What you prefer', page.margin, 214)
  preferenceBars(sheet, page.margin, 240, 236)
  heading(sheet, 'How you like to learn', 356, 214)
  modeShape(sheet, 361, 246, 156)

  const half = (column - 28) / 2
  heading(sheet, style.name, page.margin, 468)
  sheet.paragraph(style.content, page.margin, 491, half, 10.5)
  heading(sheet, 'ENFP', page.margin + half + 28, 468)
  sheet.paragraph(type.content, page.margin + half + 28, 491, half, 10.5)
  footer(sheet, 1)
  return sheet
}

function secondPage(): Sheet {
  const sheet = new Sheet()
  sheet.watermark('SAMPLE')
  header(sheet, 92)
  badge(sheet, 62)
  sheet.text('Profile overview', page.margin, 64, 'bold', 22, chalk)

  const facets = [
    { id: 'feedback', mean: 4.2 },
    { id: 'focus', mean: 1.8 },
  ]
  let y = 130
  for (const paragraph of overviewOf(words, 'play', 'ENFP', facets).split('\n')) {
    y = sheet.paragraph(paragraph, page.margin, y, column, 11) + 28
  }
  heading(sheet, 'Often described in similar words', page.margin, y + 12)
  y += 38
  for (const performer of type.performers) {
    sheet.put(paint(amber, 'rg'))
    sheet.circle(page.margin + 4, y - 4, 3.2, 'f')
    y = sheet.paragraph(performer, page.margin + 18, y, column - 18, 11) + 22
  }
  heading(sheet, 'What this report is not', page.margin, y + 16)
  sheet.paragraph(
    'It is no test of ability and has no right answers. It rests on what one person said about themselves on one day, and it was not made for selection, for medical questions or for contracts. Percentages say how often one side of a pair was chosen; near the middle, both sides are yours.',
    page.margin,
    y + 40,
    column,
    11,
  )
  footer(sheet, 2)
  return sheet
}

/** A PDF 1.4 file of sheets, with the standard fonts every reader has. */
function pdf(sheets: readonly Sheet[]): Buffer {
  const contents = sheets.map((sheet) => sheet.drawn.join('\n'))
  const kids = sheets.map((_, place) => `${6 + place * 2} 0 R`)
  const font = (face: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${face} /Encoding /WinAnsiEncoding >>`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>',
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${sheets.length} /MediaBox [0 0 ${page.width} ${page.height}] /Resources << /Font << /regular 3 0 R /bold 4 0 R >> /ExtGState << /veil << /ca 0.5 >> /full << /ca 1 >> >> >> >>`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    '<< /Title (Touchline: sample report) /Author (Touchline) >>',
    ...contents.flatMap((content, place) => [
      `<< /Type /Page /Parent 2 0 R /Contents ${7 + place * 2} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]),
  ]
  let body = '%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n'
  const offsets = objects.map((object, place) => {
    const offset = body.length
    body += `${place + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`
  return Buffer.from(`${body}${table}trailer\n<< /Size ${size} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${body.length}\n%%EOF\n`, 'latin1')
}

/** Writes the sample report into `public/media/sample/`. */
export async function makeSampleReport(): Promise<void> {
  await mkdir(new URL('./', file), { recursive: true })
  await writeFile(file, pdf([firstPage(), secondPage()]))
}

if (import.meta.main) await makeSampleReport()
