/** Search in long lists, such as cities and countries (PROFILE-23, PROFILE-24), ignoring case and accents (PROFILE-25). */

const shortQuery = 2
const longList = 100

/** Letters that NFD does not decompose, and characters that people type in different ways. */
const foldings: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  '’': "'",
  '‘': "'",
  ʻ: "'",
  ʼ: "'",
  '-': ' ',
  '‐': ' ',
  '–': ' ',
}
const folded = /[ßæœøđðþłħı’‘ʻʼ\-‐–]/g

/** Printable ASCII, like most names: only case and hyphens need folding. */
const asciiOnly = /^[ -~]*$/

/** For comparing: lower case, without accents, with spaces for hyphens. */
export function fold(text: string): string {
  if (asciiOnly.test(text)) return text.toLowerCase().replaceAll('-', ' ')
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(folded, (sign) => foldings[sign] ?? sign)
}

function isSubsequence(query: string, candidate: string): boolean {
  let from = 0
  for (const letter of query) {
    const found = candidate.indexOf(letter, from)
    if (found === -1) return false
    from = found + letter.length
  }
  return true
}

type Score = 100 | 90 | 80 | 60 | 0

function scoreFolded(query: string, candidate: string): Score {
  if (query === '') return 0
  if (candidate === query) return 100
  if (candidate.startsWith(query)) return 90
  if (candidate.includes(query)) return 80
  return isSubsequence(query, candidate) ? 60 : 0
}

/** 100 exact, 90 prefix, 80 substring, 60 subsequence, 0 no match; case, accents, hyphens and apostrophes fold. PROFILE-23 */
export function fuzzyScore(query: string, candidate: string): Score {
  return scoreFolded(fold(query.trim()), fold(candidate))
}

const foldedLists = new WeakMap<readonly string[], string[]>()

function foldList(list: readonly string[]): string[] {
  const known = foldedLists.get(list)
  if (known !== undefined) return known
  const names = list.map(fold)
  foldedLists.set(list, names)
  return names
}

/**
 * The options to show for a query. For up to 2 characters: the whole list, or its first `limit` if it has more than 100.
 * For longer queries: at most `limit` matches, best score first, then in the list's order. PROFILE-24
 *
 * The folded names are cached by `list`: pass the same array each time and do not change it.
 */
export function fuzzyFilter(list: readonly string[], query: string, limit = 50): string[] {
  const sought = query.normalize('NFC').trim()
  if (sought.length <= shortQuery) return list.length > longList ? list.slice(0, limit) : [...list]

  const foldedQuery = fold(sought)
  const matches: Record<Score, string[]> = { 100: [], 90: [], 80: [], 60: [], 0: [] }
  foldList(list).forEach((candidate, place) => {
    const name = list[place]
    if (name !== undefined) matches[scoreFolded(foldedQuery, candidate)].push(name)
  })
  return [...matches[100], ...matches[90], ...matches[80], ...matches[60]].slice(0, limit)
}
