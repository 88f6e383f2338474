import { normalEmail, cleanEmail, isEmail } from './email.ts'
import { isHeading, nameIn, withoutMailHeaders } from './address-names.ts'

/** Splits a list of players' addresses that a coach pasted or typed into entries. addresses.ts judges the entries. */

interface AddressEntry {
  /** the cleaned address; if it is not an address, the text as it was written */
  text: string
  /** the name beside it */
  name?: string
  /** number of the line, from 0 */
  line: number
}

/** 1. 2) (3) and other signs before the entries of a list. */
const LIST_MARK = /(^|\s)(?:\(?\d+[.)]|[^\s\p{L}\p{N}@<>,;"]+)(?=\s|$)/gu
/** ana.club.test: has no @, but was meant as an address. */
const ENDS_LIKE_ADDRESS = /\.\p{L}{2,}(?=\s|$)/u
/** Invisible characters, which do not belong in a name either. */
const INVISIBLE = /[\u200B\u2060\uFEFF\u00AD]/gu

type Piece = Omit<AddressEntry, 'line'>

/**
 * The entries of a text. Addresses are separated by comma, semicolon, tab, space or line end, or written as `Name <mail>`, where the
 * name may contain a comma. In a line with one address, the other cells (separated by tab, semicolon or comma) may give its name; in a
 * line with several, each word is an entry. Text that is not an address becomes an entry for the coach to correct. Table headings are skipped.
 */
export function entriesOf(text: string): AddressEntry[] {
  return linesOf(text).flatMap((line, at) => piecesOf(line).map((piece) => ({ ...piece, line: at })))
}

function linesOf(text: string): string[] {
  return text
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .split(/\r\n|[\r\n]/)
}

/** The list with one entry replaced, or removed if `written` is ''. The other entries of its line get a line each. */
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
  const parts = byTabs.flatMap((cell) => joinNames(splitByCommas(cell)))
  const meant = isOnly ? parts.filter((part) => hasAt(part) || ENDS_LIKE_ADDRESS.test(part)) : parts
  const pieces = meant.flatMap((part) => splitByBrackets(part, isOnly))
  if (!isOnly) return pieces
  // in a row of cells separated by tabs, a comma is part of its cell: Silva, Ana
  const cells = byTabs.length > 1 ? byTabs : parts
  const inCells = cells.length > 1 ? nameIn(cells) : undefined
  return pieces.map((piece) =>
    inCells !== undefined && piece.name === undefined && hasAt(piece.text) ? { ...piece, name: inCells } : piece,
  )
}

function hasAt(text: string): boolean {
  return text.includes('@')
}

/** "Silva, Ana" <mail>: a comma or semicolon in quotes does not separate. */
function splitByCommas(cell: string): string[] {
  return (cell.match(/(?:"[^"]*"|[^,;])+/g) ?? []).map((part) => part.trim()).filter((part) => part !== '')
}

/** Silva, Ana <mail>: text without an @ before a `Name <mail>` is the beginning of that name. */
function joinNames(parts: readonly string[]): string[] {
  const joined: string[] = []
  for (const part of parts) {
    const before = joined.at(-1)
    if (before !== undefined && !/[@<]/.test(before) && part.includes('<')) joined[joined.length - 1] = `${before}, ${part}`
    else joined.push(part)
  }
  return joined
}

/** There may be several `Name <mail>` in a row. */
function splitByBrackets(part: string, isOnly: boolean): Piece[] {
  const hasAddress = hasAt(part)
  const pieces = (part.match(/[^<>]*<[^<>]*>|[^<>]+|[<>]/g) ?? []).map((piece) => piece.trim()).filter((piece) => piece !== '')
  return pieces.flatMap((piece) => {
    const bracketed = /^([^<>]*)<([^<>]*[^<>\s][^<>]*)>$/.exec(piece)
    if (!bracketed) return hasAddress ? splitBySpaces(piece, isOnly) : [{ text: piece }]
    const [, before = '', mail = ''] = bracketed
    const text = cleanEmail(mail)
    // a name may contain another address, which must not be lost; many programs repeat the same address there
    const others = before.split(/[\s'"]+/).filter((word) => hasAt(word) && normalEmail(word) !== normalEmail(text))
    return [...others.map((other) => ({ text: cleanEmail(other) })), withName(text, nameIn([before]))]
  })
}

function splitBySpaces(piece: string, isOnly: boolean): Piece[] {
  const words = piece.split(/[\s,;]+/).filter((word) => word !== '')
  const cleaned = words.map(cleanEmail)
  if (!isOnly) return joinSpaced(cleaned).map((text) => ({ text }))
  const meant = cleaned.filter((word) => hasAt(word) || ENDS_LIKE_ADDRESS.test(word))
  // the space itself may be the mistake: ana @club.test
  if (cleaned.some((word) => hasAt(word) && !isEmail(word))) return [{ text: cleaned.join(' ') }]
  const at = words.findIndex(hasAt)
  const [, label = ''] = /^([^@]*):/.exec(words[at] ?? '') ?? []
  const name = nameIn([[...words.slice(0, at), label].join(' '), words.slice(at + 1).join(' ')])
  return meant.map((text) => (hasAt(text) ? withName(text, name) : { text }))
}

/** ana @club.test among other addresses is one mistake, not two. */
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
