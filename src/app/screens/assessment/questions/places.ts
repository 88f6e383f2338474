import { ITEMS_PER_SCREEN } from '#app/constants.ts'
import type { ScreenAnswers } from '#app/questionnaire/answers.ts'
import { firstUnanswered, isGroupAnswered, itemIdsOf, sectionTypeOf, type Answers, type Section } from '#contract/rules/questionnaire.ts'

/** Where the player is: positions of the section and of the question in it, from 0. */
export interface Place {
  section: number
  question: number
}

/** The first unanswered question (QUESTIONS-15), or, when all are answered, the last, where Submit is. */
export function placeToStart(sections: readonly Section[], answers: Answers): Place {
  const section = Math.max(0, sections.length - 1)
  const last = sections[section]
  const question = last && sectionTypeOf(last) ? Math.max(0, last.questions.length - 1) : 0
  return firstUnanswered(sections, answers) ?? { section, question }
}

/**
 * The questions shown together with this one: position of the first, and how many; one on a phone (QUESTIONS-3). A section of
 * an unknown type is one screen, which says so.
 */
export function screenOf(section: Section, question: number, isPhone: boolean): { from: number; count: number } {
  const [first] = section.questions
  if (sectionTypeOf(section) === undefined) return { from: 0, count: Math.max(1, section.questions.length) }
  const count = isPhone || !first ? 1 : Math.max(1, Math.floor(ITEMS_PER_SCREEN / itemIdsOf(first).length))
  return { from: Math.floor(question / count) * count, count }
}

/**
 * The next screen: on a phone the next question, otherwise the next section, or the next part of a section too long for one
 * screen; undefined on the last. QUESTIONS-1, QUESTIONS-3
 */
export function placeAfter(sections: readonly Section[], { section, question }: Place, isPhone: boolean): Place | undefined {
  const here = sections[section]
  if (!here) return undefined
  const { from, count } = screenOf(here, question, isPhone)
  if (from + count < here.questions.length) return { section, question: from + count }
  return section + 1 < sections.length ? { section: section + 1, question: 0 } : undefined
}

/** Where to advance after an answer: the next question, or if that is answered, the first unanswered one, or Submit. */
export function placeAfterAnswer(sections: readonly Section[], next: Place, answers: ScreenAnswers): Place {
  const given = answers.snapshot().answers
  const question = sections[next.section]?.questions[next.question]
  return question && isGroupAnswered(question, given) ? placeToStart(sections, given) : next
}

/** The section to which an arrow key on the tabs leads. */
export function sectionAfterKey(key: string, current: number, count: number): number | undefined {
  const next = current + (key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0)
  return next === current || next < 0 || next >= count ? undefined : next
}

export function placeBefore(sections: readonly Section[], { section, question }: Place, isPhone: boolean): Place | undefined {
  const here = sections[section]
  if (!here) return undefined
  const { from, count } = screenOf(here, question, isPhone)
  if (from > 0) return { section, question: from - count }
  const before = sections[section - 1]
  return before && { section: section - 1, question: screenOf(before, before.questions.length - 1, isPhone).from }
}

const SCROLL_FRAMES = 4

/** Scrolls to a question. */
export function scrollToTop(question: HTMLElement): () => void {
  return forFrames(() => question.scrollIntoView({ block: 'start' }))
}

/** Scrolls until a question is this far below the window's top. */
export function scrollToBe(question: HTMLElement, top: number): () => void {
  return forFrames(() => scrollBy(0, question.getBoundingClientRect().top - top))
}

/**
 * Tab may lead under the footer in a question that was not drawn before, since its height was estimated.
 * @param from what had the focus; null if the focus was restored, as after the handover to React: then nothing scrolls
 */
export function keepInSight(focused: Element, from: EventTarget | null): void {
  if (!from || !focused.matches(':focus-visible')) return
  const scrolled = new AbortController()
  const { signal } = scrolled
  signal.addEventListener(
    'abort',
    forFrames(() => focused.scrollIntoView({ block: 'nearest' })),
  )
  // a player who scrolls away, or presses the next key, is not pulled back
  for (const type of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
    addEventListener(type, () => scrolled.abort(), { capture: true, passive: true, signal })
}

/** Scrolls for a few frames: off-screen questions above have an estimated height until they are drawn (content-visibility). */
function forFrames(run: () => void): () => void {
  let framesLeft = SCROLL_FRAMES
  let frame = 0
  const scroll = () => {
    run()
    framesLeft -= 1
    if (framesLeft > 0) frame = requestAnimationFrame(scroll)
  }
  scroll()
  return () => cancelAnimationFrame(frame)
}
