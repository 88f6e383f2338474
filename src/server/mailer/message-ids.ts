import { digitsOf, lettersOf } from './digit-letters.ts'

/**
 * The left part of a mail's Message-ID: the id of its row in letters only, since only a code may be a run of 8 digits (MAIL-1). It is the
 * same at each attempt, and identifies the mail if it comes back: it is random, so only somebody who got the mail can know it.
 */

const ID = /(?<![\w-])[a-p]{8}-[a-p]{4}-[a-p]{4}-[a-p]{4}-[a-p]{12}(?![\w-])/g

export function messageIdOf(mailId: string): string {
  return lettersOf(mailId)
}

/** A report is about one mail, which it may name twice; each costs a transaction, and whoever writes to us can name thousands. */
const NAMED_MAXIMUM = 3

/** The ids of mails whose Message-IDs are in a text, each once; the first few. */
export function mailIdsIn(text: string): string[] {
  const found = text.match(ID) ?? []
  const ids = new Set(found.map(digitsOf))
  return [...ids].slice(0, NAMED_MAXIMUM)
}
