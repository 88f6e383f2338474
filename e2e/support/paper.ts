import { getDocumentProxy } from 'unpdf'

/** The text of each page of a PDF, without white space. */
export async function textOfPages(bytes: Uint8Array): Promise<string[]> {
  const document = await getDocumentProxy(new Uint8Array(bytes))
  const pages: string[] = []
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent()
    pages.push(withoutSpace(items.map((item) => ('str' in item ? item.str : '')).join('')))
  }
  return pages
}

export const withoutSpace = (text: string) => text.replaceAll(/\s+/gu, '')

/** Lines of a PDF that are drawn over one another, in the same column. */
export async function overlapsOf(bytes: Uint8Array): Promise<string[]> {
  const document = await getDocumentProxy(new Uint8Array(bytes))
  const found: string[] = []
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent()
    const runs = items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? [placeOf(item)] : []))
    for (const [at, one] of runs.entries()) {
      for (const other of runs.slice(at + 1)) if (isOver(one, other)) found.push(`${one.text} / ${other.text}`)
    }
  }
  return found
}

interface Run {
  text: string
  left: number
  right: number
  /** of the baseline */
  y: number
  height: number
}

function placeOf({ str, transform, width, height }: { str: string; transform: unknown[]; width: number; height: number }): Run {
  const [left, y] = [Number(transform[4]), Number(transform[5])]
  return { text: str, left, right: left + width, y, height }
}

/** Less than half a line apart, but not on one line, where letters may be raised. */
function isOver(one: Run, other: Run): boolean {
  const apart = Math.abs(one.y - other.y)
  const isBeside = one.right <= other.left + 1 || other.right <= one.left + 1
  return !isBeside && apart < Math.min(one.height, other.height) / 2
}
