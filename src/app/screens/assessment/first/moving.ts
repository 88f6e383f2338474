import { advanceSoon, isAutoAdvanceOn } from '#app/screens/assessment/questions/auto-advance.ts'
import { placeAfter, placeAfterAnswer, scrollToTop, type Place } from '#app/screens/assessment/questions/places.ts'
import { canShow, within, type Drawing, type FirstScreen } from './drawing.ts'

/** The player's way through the questions of a screen. */
export interface Moves {
  goTo: (next: Place | undefined) => void
  /** Goes on once what was chosen is written, if the player wants that. */
  advance: (written: Promise<boolean>) => void
  scrollToPlace: () => void
  /** The phone was turned, or the window narrowed: the question reached stays, with its focus. */
  turn: () => void
  isMovingOn: () => boolean
  stop: () => void
}

export function createMoves(screen: FirstScreen, drawing: Pick<Drawing, 'draw'>): Moves {
  const { questionnaire, narrow } = screen
  const { sections } = screen.ready
  const { answers } = questionnaire
  let advancing: AbortController | undefined
  let stopScrolling = () => {}

  function goTo(next: Place | undefined): void {
    if (!next || !canShow(screen, next)) return
    advancing?.abort()
    if (next.section !== screen.place.section) void questionnaire.send()
    screen.place = next
    drawing.draw()
    // moving along the tabs with arrow keys leaves the focus on the tab
    if (document.activeElement?.getAttribute('role') !== 'tab')
      within(screen, `${questionAt(next)} [tabindex="-1"]`)?.focus({ preventScroll: true })
    scrollToPlace()
  }

  function scrollToPlace(): void {
    const question = within(screen, questionAt(screen.place))
    stopScrolling()
    if (question) stopScrolling = scrollToTop(question)
  }

  return {
    goTo,
    scrollToPlace,
    advance(written) {
      advancing?.abort()
      const next = placeAfter(sections, screen.place, narrow.matches)
      if (!next || !canShow(screen, next) || !isAutoAdvanceOn()) return
      advancing = advanceSoon(answers, written, () => goTo(placeAfterAnswer(sections, next, answers)))
    },
    turn() {
      const focused = document.activeElement
      drawing.draw()
      if (focused instanceof HTMLInputElement && !focused.isConnected)
        within(screen, `input[name="${CSS.escape(focused.name)}"][value="${CSS.escape(focused.value)}"]`)?.focus({ preventScroll: true })
      if (screen.place.question > 0) scrollToPlace()
    },
    // the next question, drawn here, would get the second half of a double tap
    isMovingOn: () => (advancing && !advancing.signal.aborted) || within(screen, '[data-ignores-taps]') !== null,
    stop() {
      advancing?.abort()
      stopScrolling()
    },
  }
}

const questionAt = ({ section, question }: Place) => `#question-${section}-${question}`
