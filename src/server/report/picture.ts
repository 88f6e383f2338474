import type { Results } from '#contract/instances.ts'
import { MODE_DIRECTIONS, modeShape, PITCH, preferenceBars, type PreferenceBar } from '#contract/rules/result-picture.ts'
import { isPole, MODE_KEYS, POLE_KEYS, STRENGTHS } from '#contract/rules/result-keys.ts'
import type { ReportWords } from './report-words.ts'
import { chalk, green, ink, line, softGreen, type Place, type Sheets } from './sheet.ts'

/** The picture of a report, as on the results screen: four bars with their counts, and the pitch with the shape (RESULTS-5). */

const ROW = 47
const CIRCLE = 9
const TRACK = 11

interface DrawInput {
  sheets: Sheets
  words: ReportWords
  results: Results
}

/** Four bars, one below the other. Returns where they end. */
export function drawBars({ sheets, words, results }: DrawInput, { x, y, width }: Place): number {
  const bars = preferenceBars(results)
  sheets.within('L', () => {
    for (const [index, bar] of bars.entries()) {
      const place = { x, y: y + index * ROW, width }
      drawTrack(sheets, bar, place)
      sheets.within('LI', () => sheets.within('LBody', () => writeBar(sheets, words, bar, place)))
    }
  })
  return y + bars.length * ROW
}

/** A screen reader reads: Outward (E) 9 of 11, Inward (I) 2 of 11, clear. */
function writeBar({ write }: Sheets, { say }: ReportWords, bar: PreferenceBar, { x, y, width }: Place): void {
  const { first, second, firstCount, secondCount, letter, total } = bar
  const sides = [
    { pole: first, chosen: firstCount, align: 'left', at: x },
    { pole: second, chosen: secondCount, align: 'right', at: x + width / 2 },
  ] as const
  for (const { pole, chosen, align, at } of sides) {
    const half = { width: width / 2, align }
    write(
      'Span',
      say('ResultsLetter', { name: isPole(pole) ? say(POLE_KEYS[pole]) : pole, letter: pole }),
      letter === pole ? 'strong' : 'label',
      {
        x: at,
        y,
        ...half,
      },
    )
    write('Span', say('ResultsCountOf', { chosen, total }), 'label', { x: at, y: y + 27, ...half })
  }
  const strength = bar.closeCall ? say('ResultsCloseCall') : say(STRENGTHS[bar.strength])
  write('Span', strength, 'small', { x: x + 60, y: y + 27, width: width - 120, align: 'center' })
}

/** Filled on the side chosen more often; hatched where neither is clear, so that it can be told apart without colour. */
function drawTrack({ doc, decorate }: Sheets, bar: PreferenceBar, { x, y, width }: Place): void {
  const top = y + 14
  const share = (width * bar.firstPercent) / 100
  const [from, length] = bar.leading === bar.first ? [x, share] : [x + share, width - share]
  decorate(() => {
    doc.roundedRect(x, top, width, TRACK, 3).fillAndStroke(softGreen, line)
    doc.roundedRect(x, top, width, TRACK, 3).clip()
    if (bar.letter === null) {
      doc.rect(from, top, length, TRACK).clip().lineWidth(2).strokeColor(green)
      for (let at = from - TRACK; at < from + length; at += 5) doc.moveTo(at, top + TRACK).lineTo(at + TRACK, top)
      doc.stroke()
    } else doc.rect(from, top, length, TRACK).fill(green)
  })
  decorate(() => doc.rect(x + width / 2 - 0.75, top - 2, 1.5, TRACK + 4).fillAndStroke(ink, chalk))
}

const { halfWidth, halfHeight, area } = PITCH
/** space above and below the pitch for labels */
const MARGIN = 22

/** The pitch with the shape of the four ways of learning, and their sums. Returns where it ends. */
export function drawPitch({ sheets, words, results: { Section1 } }: DrawInput, { x, y, width }: Place): number {
  const { doc, tag } = sheets
  const { say, list } = words
  const scale = width / (2 * halfWidth)
  const height = 2 * (halfHeight + MARGIN) * scale
  const lines = MODE_DIRECTIONS.map(({ mode }) => say('ResultsModeLine', { name: say(MODE_KEYS[mode]), sum: Section1.modes[mode] }))
  const { corners, spot, quarters } = modeShape(Section1)
  const draw = () => {
    doc.save()
    doc.translate(x + width / 2, y + height / 2).scale(scale)
    doc.rect(-halfWidth, -halfHeight, 2 * halfWidth, 2 * halfHeight).fill(softGreen)
    for (const quarter of quarters) {
      doc
        .rect(quarter.x > 0 ? 0 : -halfWidth, quarter.y > 0 ? 0 : -halfHeight, halfWidth, halfHeight)
        .fillOpacity(0.16)
        .fill(green)
    }
    doc.fillOpacity(1).lineWidth(1.5).strokeColor(line)
    doc.rect(-halfWidth, -halfHeight, 2 * halfWidth, 2 * halfHeight).stroke()
    for (const end of [-1, 1]) doc.rect(end > 0 ? halfWidth - area.depth : -halfWidth, -area.half, area.depth, 2 * area.half).stroke()
    doc.moveTo(0, -halfHeight).lineTo(0, halfHeight).stroke()
    doc.moveTo(-halfWidth, 0).lineTo(halfWidth, 0).dash(4, { space: 4 }).stroke().undash()
    doc.circle(0, 0, PITCH.circle).stroke()
    doc.lineWidth(2.5).fillOpacity(0.3)
    doc.polygon(...corners.map((corner): [number, number] => [corner.x, corner.y])).fillAndStroke(green, green)
    doc.fillOpacity(1)
    doc.circle(spot.x, spot.y, PITCH.spot).lineWidth(3).fillAndStroke('#ffffff', ink)
    doc.restore()
    for (const { mode, x: right, y: down } of MODE_DIRECTIONS) {
      const text = say('ResultsModeLine', { name: say(MODE_KEYS[mode]), sum: Section1.modes[mode] })
      label(text, placeOf(right, down, spot.y < 0))
    }
    for (const quarter of quarters) label(quarter.name, cornerOf(quarter), 'bold')
  }

  /** Experience and idea stand outside the pitch; watch and do on the side of the axis that the spot is not on. */
  function placeOf(right: number, down: number, isBelow: boolean): Label {
    if (right === 0) return { at: 0, down: down * (halfHeight + 11), align: 'center' }
    return { at: right * (halfWidth - 8), down: isBelow ? 14 : -14, align: right > 0 ? 'right' : 'left' }
  }

  function cornerOf(quarter: { x: number; y: number }): Label {
    return { at: quarter.x * (halfWidth - 8), down: quarter.y * (halfHeight - 14), align: quarter.x > 0 ? 'right' : 'left' }
  }

  function label(text: string, { at, down, align }: Label, face: 'regular' | 'bold' = 'regular'): void {
    doc.font(face).fontSize(9).fillColor(ink)
    const wide = doc.widthOfString(text)
    const left = x + width / 2 + at * scale - (align === 'left' ? 0 : align === 'right' ? wide : wide / 2)
    doc.text(text, left, y + height / 2 + down * scale - CIRCLE / 2 - 1, { lineBreak: false })
  }

  tag('Figure', draw, { alt: say('ResultsModesPicture', { list: list(lines) }) })
  return y + height
}

interface Label {
  /** in the pitch's units, from the centre */
  at: number
  down: number
  align: 'left' | 'center' | 'right'
}
