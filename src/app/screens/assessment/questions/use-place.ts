import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ScreenAnswers } from '#app/questionnaire/answers.ts'
import { earlyStart } from '#app/early-start.ts'
import type { Section } from '#contract/rules/questionnaire.ts'
import { placeToStart, scrollToTop, type Place } from './places.ts'

interface PlaceControls {
  place: Place
  goTo: (place: Place) => void
  /** call when one of several questions on screen is tapped or focused */
  noteReached: (place: Place) => void
}

/**
 * Starts at the first unanswered question (QUESTIONS-15), or, when all are answered, at the last, where Submit is. Moving to a
 * question focuses it, for keyboards and screen readers. When the screen is turned or narrowed, the last question reached stays.
 */
export function usePlace(instanceId: string, sections: readonly Section[], answers: ScreenAnswers, isPhone: boolean): PlaceControls {
  // where the player is already, if the page showed the questions before React
  const [left] = useState(() => earlyStart()?.first?.placeIn(instanceId))
  const [place, setPlace] = useState<Place>(() => left ?? placeToStart(sections, answers.snapshot().answers))
  const [wasPhone, setWasPhone] = useState(isPhone)
  const [reached] = useState(lastReached)
  const movedTo = useRef<Place>(undefined)

  // set while rendering, so that the question's elements are reused and keep the focus
  if (isPhone !== wasPhone) {
    setWasPhone(isPhone)
    const last = reached.get()
    if (isPhone && last?.section === place.section) setPlace(last)
  }

  useEffect(() => {
    const question = document.getElementById(`question-${place.section}-${place.question}`)
    if ((place.question === 0 || place === left) && !movedTo.current) return
    if (!question) return
    // moving along the tabs with arrow keys leaves the focus on the tab
    if (movedTo.current === place && document.activeElement?.getAttribute('role') !== 'tab')
      question.querySelector<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true })
    return scrollToTop(question)
  }, [place, left, isPhone])

  useLayoutEffect(() => earlyStart()?.first?.restore(), [])

  return {
    place,
    goTo: (next) => {
      movedTo.current = next
      reached.note(undefined)
      setPlace(next)
    },
    noteReached: reached.note,
  }
}

/** The last question reached. No state: on a wide screen every tap reaches one, and a render would delay drawing the tap. */
function lastReached() {
  let place: Place | undefined
  return {
    get: () => place,
    note: (at: Place | undefined) => {
      place = at
    },
  }
}
