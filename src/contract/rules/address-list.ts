import { normalEmail, cleanEmail, isEmail } from './email.ts'
import { isHeading, nameIn, withoutMailHeaders } from './address-names.ts'

/** A list of players' addresses, as a coach pastes or types it, taken apart. What is judged of it stands in addresses.ts. */

export interface AddressEntry {
  /** the address without what came along, else the piece as it was written */
  text: string
  /** what stood beside it */
  name?: string
  /** line of the list, from 0 */
  line: number
}

/** 1. 2) (3) and the signs that stand before the entries of a list. */
const LIST_MARK = /(^|\s)(?:\(?\d+[.)]|[^\s\p{L}\p{N}@<>,;"]+)(?=\s|$)/gu
/** ana.club.test: without an @ all the same meant as an address. */
const ENDS_LIKE_ADDRESS = /\.\p{L}{2,}(?=\s|$)/u
/** Signs that are not seen and belong in no name either. */
const UNSEEN = /[\u200B\u2060\uFEFF\u00AD]/gu

type Piece = Omit<AddressEntry, 'line'>

/**
 * The addresses of a text: apart by comma, semicolon, tab, space or line, and as `Name <mail>`, whose name may hold a
 * comma. A name, or a row's other cells, may stand beside the only address of a line, apart by tab, semicolon or comma;
 * among several each word is judged by itself. What is no address stays a piece, to be mended; the headings of a table are nothing.
 */
export function entriesOf(text: string): AddressEntry[] {
  return linesOf(text).flatMap((line, at) => piecesOf(line).map((piece) => ({ ...piece, line: at })))
}

export function linesOf(text: string): string[] {
  return text
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .split(/\r\n|[\r\n]/)
}

/** The list with one entry rewritten, '' to leave it out; the others of its line get lines of their own. */
export function withEntry(text: string, wanted: number, written: string): string {
  const entries = entriesOf(text)
  const chosen = entries[wanted]
  if (!chosen) return text
  const rewritten = entries.flatMap((entry, at) => {
    if (entry.line !== chosen.line) return []
    const address = at === wanted ? written.trim() : entry.text
    return address === '' ? [] : [entry.name === undefined ? address : `${entry.name} <${address}>`]
  })
  return linesOf(text)
    .flatMap((line, at) => (at === chosen.line ? rewritten : [line]))
    .join('\n')
}

function piecesOf(line: string): Piece[] {
  if (isHeading(line)) return []
  const isOnly = line.split(/[\s,;<>]+/).filter(hasAt).length === 1
  const marked = hasAt(line) ? withoutMailHeaders(line).replace(LIST_MARK, '$1') : line
  const byTabs = marked.split('\t')
  const parts = byTabs.flatMap((cell) => joinNames(apartByCommas(cell)))
  const meant = isOnly ? parts.filter((part) => hasAt(part) || ENDS_LIKE_ADDRESS.test(part)) : parts
  const pieces = meant.flatMap((part) => apartByBrackets(part, isOnly))
  if (!isOnly) return pieces
  // in a row apart by tabs a comma belongs to its cell: Silva, Ana
  const cells = byTabs.length > 1 ? byTabs : parts
  const inCells = cells.length > 1 ? nameIn(cells) : undefined
  return pieces.map((piece) =>
    inCells !== undefined && piece.name === undefined && hasAt(piece.text) ? { ...piece, name: inCells } : piece,
  )
}

function hasAt(text: string): boolean {
  return text.includes('@')
}

/** "Silva, Ana" <mail>: a comma or semicolon in quotes parts nothing. */
function apartByCommas(cell: string): string[] {
  return (cell.match(/(?:"[^"]*"|[^,;])+/g) ?? []).map((part) => part.trim()).filter((part) => part !== '')
}

/** Silva, Ana <mail>: what has no @ and stands before a `Name <mail>` is the beginning of that name. */
function joinNames(parts: readonly string[]): string[] {
  const joined: string[] = []
  for (const part of parts) {
    const before = joined.at(-1)
    if (before !== undefined && !/[@<]/.test(before) && part.includes('<')) joined[joined.length - 1] = `${before}, ${part}`
    else joined.push(part)
  }
  return joined
}

/** Several `Name <mail>` may stand side by side. */
function apartByBrackets(part: string, isOnly: boolean): Piece[] {
  const pieces = (part.match(/[^<>]*<[^<>]*>|[^<>]+|[<>]/g) ?? []).map((piece) => piece.trim()).filter((piece) => piece !== '')
  return pieces.flatMap((piece) => {
    const bracketed = /^([^<>]*)<([^<>]*[^<>\s][^<>]*)>$/.exec(piece)
    if (!bracketed) return hasAt(part) ? apartBySpaces(piece, isOnly) : [{ text: piece }]
    const [, before = '', mail = ''] = bracketed
    const text = cleanEmail(mail)
    // no address is lost in what looks like a name; many programs write the address itself there
    const others = before.split(/[\s'"]+/).filter((word) => hasAt(word) && normalEmail(word) !== normalEmail(text))
    return [...others.map((other) => ({ text: cleanEmail(other) })), withName(text, nameIn([before]))]
  })
}

function apartBySpaces(piece: string, isOnly: boolean): Piece[] {
  const words = piece.split(/[\s,;]+/).filter((word) => word !== '')
  const cleaned = words.map(cleanEmail)
  if (!isOnly) return joinSpaced(cleaned).map((text) => ({ text }))
  const meant = cleaned.filter((word) => hasAt(word) || ENDS_LIKE_ADDRESS.test(word))
  // its space may be the very fault: ana @club.test
  if (cleaned.some((word) => hasAt(word) && !isEmail(word))) return [{ text: cleaned.join(' ') }]
  const at = words.findIndex(hasAt)
  const [, label = ''] = /^([^@]*):/.exec(words[at] ?? '') ?? []
  const name = nameIn([[...words.slice(0, at), label].join(' '), words.slice(at + 1).join(' ')])
  return meant.map((text) => (hasAt(text) ? withName(text, name) : { text }))
}

/** ana @club.test among others is one fault, not two. */
function joinSpaced(words: readonly string[]): string[] {
  const joined: string[] = []
  for (const word of words) {
    const before = joined.at(-1)
    if (word.startsWith('@') && before !== undefined && !hasAt(before)) joined[joined.length - 1] = `${before} ${word}`
    else joined.push(word)
  }
  return joined
}

function withName(text: string, name: string | undefined): Piece {
  return name === undefined ? { text } : { text, name }
}
