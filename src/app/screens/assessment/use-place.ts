import { useEffect, useRef, useState } from 'react'
import type { ScreenAnswers } from '#app/offline/answers.ts'
import { firstUnanswered, type Section } from '#contract/rules/questionnaire.ts'

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
 * Opens at the first unanswered question (design.md 5). Moving puts the focus on the question, so that the keyboard
 * and a screen reader arrive where the eye does.
 */
export function usePlace(sections: readonly Section[], answers: ScreenAnswers): Places {
  const [place, setPlace] = useState<Place>(() => firstUnanswered(sections, answers.snapshot().answers) ?? { section: 0, question: 0 })
  const hasMoved = useRef(false)

  useEffect(() => {
    const question = document.getElementById(`question-${place.section}-${place.question}`)
    if (place.question === 0 && !hasMoved.current) return
    if (!question) return
    if (hasMoved.current) question.focus({ preventScroll: true })
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

/** The next question on a phone, the next section otherwise; undefined on the last. §2, ruling 26 */
export function placeAfter(sections: readonly Section[], { section, question }: Place, isOneByOne: boolean): Place | undefined {
  const questions = sections[section]?.questions.length ?? 0
  if (isOneByOne && question + 1 < questions) return { section, question: question + 1 }
  return section + 1 < sections.length ? { section: section + 1, question: 0 } : undefined
}

export function placeBefore(sections: readonly Section[], { section, question }: Place, isOneByOne: boolean): Place | undefined {
  if (isOneByOne && question > 0) return { section, question: question - 1 }
  if (section === 0) return undefined
  const questions = sections[section - 1]?.questions.length ?? 1
  return { section: section - 1, question: isOneByOne ? questions - 1 : 0 }
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
