import { isPlainText, TEXT_LENGTH_MAXIMUM } from './fields.ts'

/** Finds the name beside an address, and the headings of a table that were copied with its rows. */

const MAIL_WORDS = ['email', 'e-mail', 'mail', 'courriel', 'mailto']
const OTHER_HEADINGS =
  'name names first last given family surname full player players nom noms prénom prenom joueur joueuse joueurs joueuses position poste team équipe equipe club type adresse address adresses addresses phone téléphone telephone number numéro no'
const HEADINGS = new Set([...MAIL_WORDS, ...OTHER_HEADINGS.split(' ')])
/** A player's position or function, which squad lists have beside the name. */
const ROLES =
  'goalkeeper keeper goalie defender defence defense midfielder midfield winger wing striker forward attacker attack full back fullback center centre left right defensive attacking captain vice-captain gardien gardienne but défenseur défenseuse défense milieu terrain ailier ailière aile avant attaquant attaquante attaque buteur buteuse pointe latéral latérale central centrale axe côté gauche droit droite défensif défensive offensif offensive capitaine vice-capitaine'
const NOT_NAMES = new Set([...HEADINGS, ...ROLES.split(' ')])
/** Gardien ou gardienne de but. Alone, they may be a name: Le, Minh. */
const LINKING_WORDS = new Set(['de', 'du', 'la', 'le', 'ou', 'et'])
/** Everything up to the last letter or dot. One expression for what follows it would take seconds for a long text. */
const UP_TO_CLOSING = /^.*[\p{L}\p{M}.]/su
/** From: and similar, with the space that French puts before a colon. */
const MAIL_HEADER = /(^|[\s,;])(?:from|to|cc|bcc|cci|reply-to|de|à)\s?:/giu

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}-]+/gu) ?? []
}

/** A pasted line without "From:", "Cc:" and similar, which are no names. */
export function withoutMailHeaders(line: string): string {
  return line.replace(MAIL_HEADER, '$1')
}

/** Name Email Position, or any other row of cells with a heading for the addresses. */
export function isHeading(line: string): boolean {
  if (line.includes('@')) return false
  const words = wordsOf(line)
  if (!words.some((word) => MAIL_WORDS.includes(word))) return false
  return /[\t;,]/.test(line) || words.every((word) => HEADINGS.has(word))
}

/**
 * The first of these texts that looks like a name, together with the next one if it is the other half: Silva and Ana in separate
 * cells. The texts may be anything, so one counts as a name only if nothing indicates otherwise.
 */
export function nameIn(texts: readonly string[]): string | undefined {
  const names = texts.map(asName)
  const first = names.findIndex((name) => name !== undefined)
  const name = names[first]
  if (name === undefined) return undefined
  const next = names[first + 1]
  const isHalf = !/\s/.test(name) && next !== undefined && !/\s/.test(next) && texts.length > 2
  const whole = isHalf ? `${name} ${next}` : name
  return whole.length > TEXT_LENGTH_MAXIMUM ? undefined : whole
}

function asName(text: string): string | undefined {
  const named = text.replace(/\(([^()]*)\)/g, (whole, inside: string) => (isNotName(inside) ? ' ' : whole))
  const [last = '', first] = named.replace(/[<>"“”„«»()[\]{}]/g, ' ').split(',')
  // Silva, Ana
  const spaced = (first === undefined ? last : `${first} ${last}`).replace(/\s+/g, ' ').replace(/^[^\p{L}]+/u, '')
  const [bare = ''] = UP_TO_CLOSING.exec(spaced) ?? []
  if (!/^\p{L}/u.test(bare) || /[\p{N}@/\\_]/u.test(bare) || !isPlainText(bare) || bare.length > TEXT_LENGTH_MAXIMUM) return undefined
  return isNotName(bare) ? undefined : bare
}

function isNotName(text: string): boolean {
  const words = wordsOf(text).filter((word) => !LINKING_WORDS.has(word))
  return words.length > 0 && words.every((word) => NOT_NAMES.has(word))
}
