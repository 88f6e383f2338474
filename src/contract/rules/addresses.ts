import { EMAIL_LENGTH_MAXIMUM, isEmail } from './profile.ts'

/** A list of players' addresses, as a coach pastes or types it: taken apart, and judged before anything is sent. */

/** One account is one e-mail, case-folded, NFKC (design 6). */
export function accountOf(email: string): string {
  return email.trim().normalize('NFKC').toLowerCase()
}

/** 1. 2) (3) and the signs that stand before the entries of a list. */
const LIST_MARK = /(^|\s)(?:\(?\d+[.)]|[^\s\p{L}\p{N}@<>,;"]+)(?=\s|$)/gu
/** ana.club.test: without an @ all the same meant as an address. */
const ENDS_LIKE_ADDRESS = /\.\p{L}{2,}(?=\s|$)/u

/**
 * The addresses of a text, each as it was written: apart by comma, semicolon, tab, space or line, and as `Name <mail>`,
 * whose name may hold a comma. A name, or a row's other cells, may stand beside the only address of a line; among several
 * each word is judged by itself. What is no address stays a piece, to be mended.
 */
export function splitAddresses(text: string): string[] {
  return text.split(/[\r\n]+/).flatMap((line) => {
    const isOnly = line.split(/[\s,;<>]+/).filter(hasAt).length === 1
    const parts = cellsOf(line, isOnly).flatMap((cell) => joinNames(apartByCommas(cell)))
    return parts.flatMap((part) => apartByBrackets(part, isOnly))
  })
}

function hasAt(text: string): boolean {
  return text.includes('@')
}

function cellsOf(line: string, isOnly: boolean): string[] {
  const cells = (hasAt(line) ? line.replace(LIST_MARK, '$1') : line).split('\t')
  return isOnly ? cells.filter((cell) => hasAt(cell) || ENDS_LIKE_ADDRESS.test(cell)) : cells
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
function apartByBrackets(part: string, isOnly: boolean): string[] {
  const pieces = (part.match(/[^<>]*<[^<>]*>|[^<>]+|[<>]/g) ?? []).map((piece) => piece.trim()).filter((piece) => piece !== '')
  return pieces.flatMap((piece) => {
    const named = /^([^<>]*)<([^<>]*[^<>\s][^<>]*)>$/.exec(piece)
    if (named) {
      const [, name = '', mail = ''] = named
      // no address is lost in what looks like a name; many programs write the address itself there
      const others = name.split(/[\s'"]+/).filter((word) => hasAt(word) && accountOf(word) !== accountOf(mail))
      return [...others, mail.trim()]
    }
    return hasAt(part) ? apartBySpaces(piece, isOnly) : [piece]
  })
}

function apartBySpaces(piece: string, isOnly: boolean): string[] {
  const words = piece.split(/[\s,;]+/).map(withoutMarks)
  if (!isOnly) return words
  // its space may be the very fault: ana @club.test
  if (words.some((word) => hasAt(word) && !isEmail(word))) return [words.join(' ')]
  return words.filter((word) => hasAt(word) || ENDS_LIKE_ADDRESS.test(word))
}

/** (ana@club.test), or at the end of a sentence. */
function withoutMarks(word: string): string {
  const bare = word.replace(/^["'([]+|["')\].:!?]+$/g, '')
  return !isEmail(word) && isEmail(bare) ? bare : word
}

/** Why a piece is no address: what there is to mend. */
export type AddressFault = 'NoAt' | 'SeveralAts' | 'Space' | 'NoDomain' | 'TooLong' | 'Characters'

/** undefined: it is an address. */
export function addressFault(text: string): AddressFault | undefined {
  if (text.length > EMAIL_LENGTH_MAXIMUM) return 'TooLong'
  if (isEmail(text)) return undefined
  const ats = text.split('@').length - 1
  if (ats === 0) return 'NoAt'
  if (/\s/.test(text.trim())) return 'Space'
  if (ats > 1) return 'SeveralAts'
  return /^[^@]+@[^@.]+(\.[^@.]+)+$/.test(text) ? 'Characters' : 'NoDomain'
}

/**
 * ready: can be sent, a token is there for it · noToken: more than there are tokens · sent: went out already ·
 * refused: the server said no to it · allocated: holds this assessment · own: the coach's · duplicate: stands further up ·
 * invalid: no address.
 */
export type AddressVerdict = 'ready' | 'noToken' | 'sent' | 'refused' | 'allocated' | 'own' | 'duplicate' | 'invalid'

export interface JudgedAddress {
  /** as it was written */
  text: string
  account: string
  verdict: AddressVerdict
  fault?: AddressFault
}

/** What addresses are judged by; accounts as `accountOf` has them. */
export interface AddressFacts {
  own: string
  /** tokens left */
  available: number
  /** hold the assessment, and have not completed it */
  allocated: ReadonlySet<string>
  /** went out from this very list */
  sent: ReadonlySet<string>
  /** the server will not take them, however often they are sent */
  refused: ReadonlySet<string>
}

/** Each piece of the list, in its order; tokens go to the first that need one. A coach's address is only known when it is sent. */
export function judgeAddresses(pieces: readonly string[], facts: AddressFacts): JudgedAddress[] {
  const seen = new Set<string>()
  let left = facts.available
  return pieces.map((text) => {
    const account = accountOf(text)
    const fault = addressFault(text)
    const verdict = fault ? 'invalid' : seen.has(account) ? 'duplicate' : verdictOf(account, facts, left)
    if (!fault) seen.add(account)
    if (verdict === 'ready') left -= 1
    return { text, account, verdict, ...(fault ? { fault } : {}) }
  })
}

function verdictOf(account: string, { own, allocated, sent, refused }: AddressFacts, left: number): AddressVerdict {
  if (account === own) return 'own'
  if (sent.has(account)) return 'sent'
  if (refused.has(account)) return 'refused'
  if (allocated.has(account)) return 'allocated'
  return left > 0 ? 'ready' : 'noToken'
}
