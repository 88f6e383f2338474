import { useEffect, useRef, useState } from 'react'
import { ITEMS_PER_SCREEN } from '#app/constants.ts'
import type { ScreenAnswers } from '#app/offline/answers.ts'
import { firstUnanswered, itemIdsOf, type Answers, type Section } from '#contract/rules/questionnaire.ts'

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
 * Opens at the first unanswered question (design.md 5), and where nothing is left at the last, where Submit is. Moving puts the focus on the question, so that the keyboard
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
    if (hasMoved.current && document.activeElement?.getAttribute('role') !== 'tab') question.focus({ preventScroll: true })
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
  const last = Math.max(0, sections.length - 1)
  const end = { section: last, question: Math.max(0, (sections[last]?.questions.length ?? 0) - 1) }
  return firstUnanswered(sections, answers) ?? end
}

/** Of the questions that are on screen together with this one: the first, and how many a screen takes; one on a phone (ruling 26). */
export function screenOf({ questions }: Section, question: number, isPhone: boolean): { from: number; count: number } {
  const [first] = questions
  const count = isPhone || !first ? 1 : Math.max(1, Math.floor(ITEMS_PER_SCREEN / itemIdsOf(first).length))
  return { from: Math.floor(question / count) * count, count }
}

/**
 * The next screen: on a phone the next question, otherwise the next section, or its next part where it is longer than a
 * screen takes; undefined on the last. §2, ruling 26
 */
export function placeAfter(sections: readonly Section[], { section, question }: Place, isPhone: boolean): Place | undefined {
  const here = sections[section]
  if (!here) return undefined
  const { from, count } = screenOf(here, question, isPhone)
  if (from + count < here.questions.length) return { section, question: from + count }
  return section + 1 < sections.length ? { section: section + 1, question: 0 } : undefined
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
