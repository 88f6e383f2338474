import { MOBILE_BREAKPOINT_PX } from '#app/constants.ts'
import { sendingInstance } from '#app/device/sending/sync-events.ts'
import type { ReadyInstance } from '#app/device/store/stored.ts'
import { today } from '#app/i18n/moments.ts'
import type { Translation } from '#app/i18n/use-translation.ts'
import type { Questionnaire } from '#app/questionnaire/questionnaire.ts'
import { placeToStart, screenOf, type Place } from '#app/screens/assessment/questions/places.ts'
import { put, replace } from './markup.ts'
import {
  footerOf,
  frameOf,
  headEndOf,
  isOfApp,
  overOf,
  panelOf,
  progressOf,
  statusOf,
  stripOf,
  tabsOf,
  testOf,
  type Shown,
} from './screen-markup.ts'
import { watchQuestion } from './watch-question.ts'

/** If the app is not here by then, the page says why something has to wait. */
const APP_LATE_MS = 5000

export interface Texts {
  language: string
  t: Translation['t']
  shell: Translation['t']
}

/** What is on screen in `root`, and which of the questions. */
export interface FirstScreen {
  root: HTMLElement
  ready: ReadyInstance
  questionnaire: Questionnaire
  texts: Texts
  narrow: MediaQueryList
  place: Place
}

export function createScreen(root: HTMLElement, ready: ReadyInstance, questionnaire: Questionnaire, texts: Texts): FirstScreen {
  const narrow = matchMedia(`(max-width: ${MOBILE_BREAKPOINT_PX}px)`)
  const place = placeToStart(ready.sections, questionnaire.answers.snapshot().answers)
  return { root, ready, questionnaire, texts, narrow, place }
}

export const within = ({ root }: FirstScreen, selector: string) => root.querySelector<HTMLElement>(selector)

/** Whether the app is not needed for this place. */
export const canShow = ({ ready, narrow }: FirstScreen, place: Place) => !isOfApp(ready.sections, place, narrow.matches)

export interface Drawing {
  /** Draws all, and from then on what changes. */
  begin: () => void
  /** Draws the screen's place. */
  draw: () => void
  /** Draws the questions, or this text in their place. */
  drawContent: (over: string | undefined) => void
  /** what is drawn stays */
  end: () => void
}

/** @param onChosen a question of a phone was answered, and is being written */
export function createDrawing(screen: FirstScreen, onChosen: (written: Promise<boolean>) => void): Drawing {
  const { root, ready, questionnaire, texts, narrow } = screen
  const { answers } = questionnaire
  const { t, shell } = texts
  let late: ReturnType<typeof setTimeout> | undefined
  let stops: (() => void)[] = []
  let stopsAtEnd: (() => void)[] = []

  const section = () => ready.sections[screen.place.section]
  const shown = (): Shown => ({
    ...texts,
    sections: ready.sections,
    place: screen.place,
    isPhone: narrow.matches,
    answers: answers.snapshot().answers,
  })
  const status = () => {
    const state = questionnaire.get()
    const savedAt = state.state === 'ready' ? state.ready.instance.savedAt : null
    return statusOf(t, answers.snapshot(), savedAt, sendingInstance.get() === ready.instance.instanceId)
  }

  /** The parts that show counts; the questions stay as they are. */
  function drawHead(): void {
    put(within(screen, '.section-tabs'), ...tabsOf(shown()))
    put(within(screen, '.test-progress'), progressOf(shown()))
    put(within(screen, '.test-status'), ...headEndOf(t, status()))
    hideWhileStale()
  }

  function hideWhileStale(): void {
    within(screen, 'p.save-status')?.toggleAttribute('data-stale', !answers.listeners.isStatusCurrent())
  }

  function watchQuestions(): void {
    const now = section()
    if (!now) return
    for (const stop of stops) stop()
    const { from, count } = screenOf(now, screen.place.question, narrow.matches)
    const props = { section: now, answers, onChosen: narrow.matches ? onChosen : undefined }
    stops = now.questions.slice(from, from + count).map((question) => watchQuestion(root, { ...props, question }, t))
  }

  return {
    begin() {
      root.innerHTML = frameOf(shown(), status()).text
      hideWhileStale()
      watchQuestions()
      stopsAtEnd = [
        answers.listeners.subscribe(drawHead),
        questionnaire.subscribe(drawHead),
        answers.listeners.subscribeStatusCurrent(hideWhileStale),
        sendingInstance.subscribe(drawHead),
        today.subscribe(drawHead),
      ]
      late = setTimeout(() => put(within(screen, '.shell-body > [role=status]'), stripOf(shell)), APP_LATE_MS)
    },
    draw() {
      const now = section()
      if (!now) return
      drawHead()
      replace(within(screen, '#section-panel'), panelOf(shown(), now))
      put(within(screen, '.test-footer-row'), ...footerOf(shown()))
      watchQuestions()
    },
    drawContent(over) {
      const content = within(screen, '#content')
      if (!content) return
      const hadFocus = content.contains(document.activeElement)
      content.innerHTML = (over === undefined ? testOf(shown(), status()) : overOf(shown(), over)).text
      hideWhileStale()
      if (over === undefined) watchQuestions()
      if (hadFocus) within(screen, 'h1')?.focus({ preventScroll: true })
    },
    end() {
      clearTimeout(late)
      for (const stop of [...stops, ...stopsAtEnd]) stop()
    },
  }
}
