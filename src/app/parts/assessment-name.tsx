import { createElement, Fragment, type ReactNode } from 'react'

/** Assessment names may carry <sup> and <sub> (§2, §3). Only these two, without attributes; all else is text. */

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

/** Name → parts. A mark without its partner, or in the wrong order, stays text. */
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

function textOf(parts: readonly NamePart[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : textOf(part.children))).join('')
}

/** The name without its marks, for titles and accessible names. */
export function plainName(name: string): string {
  return textOf(nameParts(name))
}

function nodeOf(part: NamePart): ReactNode {
  return typeof part === 'string' ? part : createElement(part.tag, null, ...part.children.map(nodeOf))
}

export function AssessmentName({ name }: { name: string }): ReactNode {
  return createElement(Fragment, null, ...nameParts(name).map(nodeOf))
}
