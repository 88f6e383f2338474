import { useEffect, useRef, useState } from 'react'
import { ITEMS_PER_SCREEN } from '#app/constants.ts'
import type { ScreenAnswers } from '#app/questionnaire/answers.ts'
import { firstUnanswered, isGroupAnswered, itemIdsOf, sectionTypeOf, type Answers, type Section } from '#contract/rules/questionnaire.ts'

/** Where the player is: section and question by position. */
export interface Place {
  section: number
  question: number
}

interface Places {
  place: Place
  go: (place: Place) => void
}

/**
 * Opens at the first unanswered question (QUESTIONS-15), and where nothing is left at the last, where Submit is. Moving puts the focus on the question, so that the keyboard
 * and a screen reader arrive where the eye does.
 */
export function usePlace(sections: readonly Section[], answers: ScreenAnswers): Places {
  const [place, setPlace] = useState<Place>(() => placeToBegin(sections, answers.snapshot().answers))
  const hasMoved = useRef(false)

  useEffect(() => {
    const question = document.getElementById(`question-${place.section}-${place.question}`)
    if (place.question === 0 && !hasMoved.current) return
    if (!question) return
    // whoever goes along the tabs by arrow keys stays on them
    if (hasMoved.current && document.activeElement?.getAttribute('role') !== 'tab')
      question.querySelector<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true })
    return bringToTop(question)
  }, [place])

  return {
    place,
    go: (next) => {
      hasMoved.current = true
      setPlace(next)
    },
  }
}

export function placeToBegin(sections: readonly Section[], answers: Answers): Place {
  const section = Math.max(0, sections.length - 1)
  const last = sections[section]
  const question = last && sectionTypeOf(last) ? Math.max(0, last.questions.length - 1) : 0
  return firstUnanswered(sections, answers) ?? { section, question }
}

/**
 * Of the questions that are on screen together with this one: the first, and how many a screen takes; one on a phone
 * (QUESTIONS-3). A section that cannot be shown is one screen that says so.
 */
export function screenOf(section: Section, question: number, isPhone: boolean): { from: number; count: number } {
  const [first] = section.questions
  if (sectionTypeOf(section) === undefined) return { from: 0, count: Math.max(1, section.questions.length) }
  const count = isPhone || !first ? 1 : Math.max(1, Math.floor(ITEMS_PER_SCREEN / itemIdsOf(first).length))
  return { from: Math.floor(question / count) * count, count }
}

/**
 * The next screen: on a phone the next question, otherwise the next section, or its next part where it is longer than a
 * screen takes; undefined on the last. QUESTIONS-1, QUESTIONS-3
 */
export function placeAfter(sections: readonly Section[], { section, question }: Place, isPhone: boolean): Place | undefined {
  const here = sections[section]
  if (!here) return undefined
  const { from, count } = screenOf(here, question, isPhone)
  if (from + count < here.questions.length) return { section, question: from + count }
  return section + 1 < sections.length ? { section: section + 1, question: 0 } : undefined
}

/** Where an answer leads by itself: to the next question, or past those that are answered to what is open, or to Submit. */
export function placeOnward(sections: readonly Section[], next: Place, answers: ScreenAnswers): Place {
  const given = answers.snapshot().answers
  const question = sections[next.section]?.questions[next.question]
  return question && isGroupAnswered(question, given) ? placeToBegin(sections, given) : next
}

export function placeBefore(sections: readonly Section[], { section, question }: Place, isPhone: boolean): Place | undefined {
  const here = sections[section]
  if (!here) return undefined
  const { from, count } = screenOf(here, question, isPhone)
  if (from > 0) return { section, question: from - count }
  const before = sections[section - 1]
  return before && { section: section - 1, question: screenOf(before, before.questions.length - 1, isPhone).from }
}

const FRAMES = 4

/** A question off screen has a guessed height until it comes near (content-visibility): what is above settles in a few frames. */
function bringToTop(question: HTMLElement): () => void {
  let left = FRAMES
  let frame = 0
  const scroll = () => {
    question.scrollIntoView({ block: 'start' })
    left -= 1
    if (left > 0) frame = requestAnimationFrame(scroll)
  }
  scroll()
  return () => cancelAnimationFrame(frame)
}
