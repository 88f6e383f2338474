import { inflateSync } from 'node:zlib'
import { getDocumentProxy } from 'unpdf'

/** A PDF as its readers find it: the text of each page, and what a screen reader is told. */
interface ReadPdf {
  language: unknown
  title: unknown
  isTagged: boolean
  /** width and height in points, of each page */
  sizes: [number, number][]
  /** without white space, as lines are broken anywhere */
  pages: string[]
  text: string
  /** roles in reading order, with the words that stand for a drawing */
  roles: string[]
  /** the same for each page, without what only holds others, such as a list */
  rolesOfPages: string[][]
  descriptions: string[]
}

interface Node {
  role?: string
  alt?: string
  lang?: string
  children?: Node[]
}

const HOLDERS = new Set(['Root', 'Document', 'Sect', 'L', 'LI'])

export const withoutSpace = (text: string) => text.replaceAll(/\s+/gu, '')

export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const document = await getDocumentProxy(new Uint8Array(bytes))
  const info = Object.fromEntries(Object.entries((await document.getMetadata()).info))
  const read: ReadPdf = {
    language: info['Language'],
    title: info['Title'],
    isTagged: (await document.getMarkInfo())?.['Marked'] === true,
    sizes: [],
    pages: [],
    text: '',
    roles: [],
    rolesOfPages: [],
    descriptions: [],
  }
  const collect = ({ role, alt, children = [] }: Node): void => {
    if (role !== undefined) read.roles.push(role)
    if (alt !== undefined) read.descriptions.push(alt)
    children.forEach(collect)
  }
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number)
    const [, , width = 0, height = 0] = page.view
    read.sizes.push([Math.round(width), Math.round(height)])
    const { items } = await page.getTextContent()
    read.pages.push(withoutSpace(items.map((item) => ('str' in item ? item.str : '')).join('')))
    const tree = (await page.getStructTree()) as Node | null
    const before = read.roles.length
    if (tree) collect(tree)
    read.rolesOfPages.push(read.roles.slice(before).filter((role) => !HOLDERS.has(role)))
  }
  read.text = read.pages.join('')
  return read
}

/** What the letters of each font are in a PDF's text: its ToUnicode maps. */
export function unicodeMaps(bytes: Uint8Array): string[] {
  const file = Buffer.from(bytes)
  const maps: string[] = []
  for (let at = file.indexOf('stream\n'); at !== -1; at = file.indexOf('stream\n', at + 1)) {
    const end = file.indexOf('\nendstream', at)
    if (end === -1 || file.subarray(at - 3, at).equals(Buffer.from('end'))) continue
    const content = file.subarray(at + 'stream\n'.length, end)
    // 0x78: deflated
    const text = content[0] === 0x78 ? inflateSync(content).toString('latin1') : ''
    if (text.includes('begincmap')) maps.push(text)
  }
  return maps
}
