/** Assessment names may contain <sup> and <sub>, without attributes; anything else is text (WORDS-6). */

export type NamePart = string | { tag: 'sup' | 'sub'; children: NamePart[] }

const MARK = /<(\/?)(sup|sub)>/g

interface Open {
  tag: 'sup' | 'sub'
  children: NamePart[]
}

function addText(children: NamePart[], text: string): void {
  const last = children.length - 1
  const before = children[last]
  if (text === '') return
  if (typeof before === 'string') children[last] = before + text
  else children.push(text)
}

/** Splits a name into text and tags. A tag that is not closed, or closed in the wrong order, is text. */
export function nameParts(name: string): NamePart[] {
  const root: NamePart[] = []
  const open: Open[] = []
  const here = () => open.at(-1)?.children ?? root
  let from = 0
  for (const match of name.matchAll(MARK)) {
    const [mark, slash, tag] = match
    addText(here(), name.slice(from, match.index))
    from = match.index + mark.length
    if (slash === '') {
      open.push({ tag: tag === 'sup' ? 'sup' : 'sub', children: [] })
    } else if (open.at(-1)?.tag === tag) {
      const closed = open.pop()
      if (closed) here().push(closed)
    } else {
      addText(here(), mark)
    }
  }
  addText(here(), name.slice(from))
  for (let unclosed = open.pop(); unclosed; unclosed = open.pop()) {
    addText(here(), `<${unclosed.tag}>`)
    for (const part of unclosed.children) {
      if (typeof part === 'string') addText(here(), part)
      else here().push(part)
    }
  }
  return root
}

/** Characters that Unicode also has as superscript and subscript, so that a plain name still reads "Touchline Profile¹". */
const SIGNS = '0123456789+-=()'
const RAISED = { sup: '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾', sub: '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎' }

/** Superscripts with a character of their own: otherwise "IMPACT<sup>TM</sup>" would become "IMPACTTM". */
const MARKS: Partial<Record<string, string>> = { TM: '™', SM: '℠' }

function moved(text: string, tag: 'sup' | 'sub'): string {
  const mark = tag === 'sup' ? MARKS[text] : undefined
  if (mark !== undefined) return mark
  const signs = [...text].map((sign) => RAISED[tag][SIGNS.indexOf(sign)])
  return signs.includes(undefined) ? text : signs.join('')
}

/** The name as plain text, for titles, accessible names and the card provider. */
export function plainName(name: string): string {
  const textOf = (parts: readonly NamePart[]): string =>
    parts.map((part) => (typeof part === 'string' ? part : moved(textOf(part.children), part.tag))).join('')
  return textOf(nameParts(name))
}
