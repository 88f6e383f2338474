import { EDGE, WIDTH, type Sheets } from './sheet.ts'

/** The blocks that a report is made of, each with its height in points of the PDF: what must stay together is measured before it is drawn. */

interface OnSheets {
  sheets: Sheets
}

/** A heading and what stands below it, of which `together` stands on the same page as the heading. */
export function section(on: OnSheets, title: string, together: number, fill: () => void): void {
  const { sheets } = on
  sheets.ensure(sectionHeight(on, title, together))
  sheets.within('Sect', () => {
    sheets.bookmark(title)
    sheets.add('H2', title, 'section', { before: 15 })
    sheets.moveTo(sheets.y() + 2)
    fill()
  })
}

export function sectionHeight({ sheets }: OnSheets, title: string, content: number): number {
  return 15 + sheets.heightOf(title, 'section') + 2 + content
}

export function paragraph(on: OnSheets, text: string, look: 'text' | 'soft' = 'text'): void {
  on.sheets.ensure(paragraphHeight(on, text, look))
  on.sheets.add('P', text, look, { before: 3 })
}

export function paragraphHeight({ sheets }: OnSheets, text: string, look: 'text' | 'soft' = 'text'): number {
  return 3 + sheets.heightOf(text, look)
}

/** A smaller heading and its paragraph. */
export function part(on: OnSheets, heading: string, text: string): void {
  on.sheets.ensure(partHeight(on, heading, text))
  on.sheets.add('H3', heading, 'part', { before: 6 })
  paragraph(on, text)
}

export function partHeight(on: OnSheets, heading: string, text: string): number {
  return 6 + on.sheets.heightOf(heading, 'part') + paragraphHeight(on, text)
}

export function list(on: OnSheets, items: readonly string[]): void {
  const { sheets } = on
  sheets.ensure(listHeight(on, items))
  sheets.within('L', () => {
    for (const item of items) {
      sheets.within('LI', () => {
        const y = sheets.y() + 2
        sheets.write('Lbl', '•', 'text', { x: EDGE, y, width: 12 })
        sheets.moveTo(y)
        sheets.add('LBody', item, 'text', { indent: 14 })
      })
    }
  })
}

export function listHeight({ sheets }: OnSheets, items: readonly string[]): number {
  return sum(items.map((item) => 2 + sheets.heightOf(item, 'text', WIDTH - 14)))
}

export const sum = (heights: readonly number[]) => heights.reduce((total, height) => total + height, 0)
