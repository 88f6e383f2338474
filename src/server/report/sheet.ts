import PDFDocument from 'pdfkit'
import type { Language } from '#contract/languages.ts'
import { fontOf } from './letters.ts'

/** Sheets of A4 that are filled from top to bottom. Each piece of text is tagged for screen readers as it is drawn. */

// as in tokens.css; tests/house/colours.test.ts compares them
export const green = '#0f5438'
export const darkGreen = '#0b462e'
export const ink = '#14211a'
export const softInk = '#465449'
export const chalk = '#fdfef8'
export const softGreen = '#e1eee5'
export const line = '#6a796f'

const PAGE = { width: 595.28, height: 841.89 }
export const EDGE = 50
export const WIDTH = PAGE.width - 2 * EDGE
const TOP = 42
const BOTTOM = 50

interface Look {
  face: 'regular' | 'bold'
  size: number
  colour: string
  leading: number
}

const looks = {
  name: { face: 'bold', size: 26, colour: chalk, leading: 0 },
  onGrass: { face: 'regular', size: 11, colour: chalk, leading: 2 },
  badge: { face: 'bold', size: 10, colour: darkGreen, leading: 0 },
  section: { face: 'bold', size: 14.5, colour: green, leading: 1 },
  part: { face: 'bold', size: 11, colour: ink, leading: 1 },
  text: { face: 'regular', size: 10.2, colour: ink, leading: 1.5 },
  soft: { face: 'regular', size: 9.2, colour: softInk, leading: 1.5 },
  small: { face: 'regular', size: 8.6, colour: softInk, leading: 0 },
  label: { face: 'regular', size: 9, colour: ink, leading: 0 },
  strong: { face: 'bold', size: 9, colour: ink, leading: 0 },
} as const satisfies Record<string, Look>
type LookName = keyof typeof looks

export interface Place {
  x: number
  y: number
  width: number
  align?: 'left' | 'center' | 'right'
}

type Element = PDFKit.PDFStructureElement
type Tag = 'H1' | 'H2' | 'H3' | 'P' | 'LI' | 'LBody' | 'L' | 'Sect' | 'Span' | 'Figure' | 'Lbl'

export type Sheets = ReturnType<typeof createSheets>

/** @param at the document's date; the same input gives the same bytes */
export function createSheets({ title, language, at }: { title: string; language: Language; at: Date }) {
  const doc = new PDFDocument({
    size: 'A4',
    margins: { top: TOP, bottom: BOTTOM, left: EDGE, right: EDGE },
    pdfVersion: '1.7',
    lang: language,
    tagged: true,
    displayTitle: true,
    bufferPages: true,
    info: { Title: title, Creator: 'Touchline', CreationDate: at, ModDate: at },
  })
  const bytes = gather(doc)
  for (const face of ['regular', 'bold'] as const) doc.registerFont(face, fontOf(face) as unknown as string) // its types lack parsed fonts

  const root = doc.struct('Document')
  doc.addStructure(root)
  const parents: Element[] = [root]
  let y = TOP

  function prepare(look: LookName) {
    const { face, size, colour, leading } = looks[look]
    doc.font(face).fontSize(size).fillColor(colour)
    return { lineGap: leading }
  }

  /** Everything drawn by `draw` is one element of the structure. */
  function tag(type: Tag, draw: () => void, more: { alt?: string } = {}): void {
    parents.at(-1)?.add(doc.struct(type, more, draw))
  }

  return {
    doc,
    y: () => y,
    moveTo: (to: number) => void (y = to),
    tag,

    heightOf(text: string, look: LookName, width = WIDTH): number {
      return doc.heightOfString(text, { width, ...prepare(look) })
    },

    /** The width of a text on one line. */
    widthOf(text: string, look: LookName): number {
      prepare(look)
      return doc.widthOfString(text)
    },

    /** Text at a place, as an element of its own. Returns where it ends. */
    write(type: Tag, text: string, look: LookName, { x, y: top, width, align = 'left' }: Place): number {
      tag(type, () => doc.text(text, x, top, { width, align, ...prepare(look) }))
      return doc.y
    },

    /** Text below what was last drawn, over the whole width. At the top of a sheet nothing is left free before it. */
    add(type: Tag, text: string, look: LookName, { before = 0, indent = 0 } = {}): void {
      if (y > TOP) y += before
      y = this.write(type, text, look, { x: EDGE + indent, y, width: WIDTH - indent })
    },

    /** What is drawn by `fill` stands in one element, such as a section or a list. */
    within(type: Tag, fill: () => void): void {
      const element = doc.struct(type)
      parents.at(-1)?.add(element)
      parents.push(element)
      fill()
      parents.pop()
      element.end()
    },

    /** A drawing that screen readers leave out, as it only repeats what text says. */
    decorate(draw: () => void): void {
      doc.markContent('Artifact', { type: 'Layout' })
      doc.save()
      draw()
      doc.restore()
      doc.endMarkedContent()
    },

    /** Begins a new sheet if less than this is left on this one, and something stands on it. */
    ensure(height: number): void {
      if (y === TOP || y + height <= PAGE.height - BOTTOM) return
      doc.addPage()
      y = TOP
    },

    count: () => doc.bufferedPageRange().count,

    bookmark: (text: string) => void doc.outline.addItem(text),

    /** Writes the foot of each sheet, and ends the document. */
    async end(foot: (page: number, pages: number) => { left: string; right: string }): Promise<Buffer<ArrayBuffer>> {
      root.end()
      const { count } = doc.bufferedPageRange()
      for (let page = 0; page < count; page += 1) {
        doc.switchToPage(page)
        const { left, right } = foot(page + 1, count)
        // else a text below the margin would begin a new sheet
        doc.page.margins.bottom = 0
        doc.markContent('Artifact', { type: 'Pagination' })
        prepare('small')
        doc.text(left, EDGE, PAGE.height - 40, { lineBreak: false })
        doc.text(right, EDGE + WIDTH - doc.widthOfString(right), PAGE.height - 40, { lineBreak: false })
        doc.endMarkedContent()
      }
      doc.end()
      return bytes
    },
  }
}

function gather(doc: PDFKit.PDFDocument): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  return new Promise((resolve, reject) => {
    doc.on('data', (part: Uint8Array) => void parts.push(part))
    doc.on('end', () => resolve(Buffer.concat(parts)))
    doc.on('error', reject)
  })
}
