import { createElement, Fragment, type ReactNode } from 'react'
import { nameParts, type NamePart } from '#contract/rules/assessment-name.ts'

function nodeOf(part: NamePart): ReactNode {
  return typeof part === 'string' ? part : createElement(part.tag, null, ...part.children.map(nodeOf))
}

/** An assessment's name with its superscripts and subscripts, rendered without innerHTML. WORDS-6 */
export function AssessmentName({ name }: { name: string }): ReactNode {
  return createElement(Fragment, null, ...nameParts(name).map(nodeOf))
}
