import type { Translation } from '#app/i18n/use-translation.ts'
import { sendingInstance } from '#app/device/sending/sync-events.ts'
import type { ReadyInstance } from '#app/device/store/stored.ts'
import type { Questionnaire } from '#app/questionnaire/questionnaire.ts'
import { advanceSoon, isAutoAdvanceOn, setAutoAdvance } from '#app/screens/assessment/questions/auto-advance.ts'
import {
  placeAfter,
  placeAfterAnswer,
  placeBefore,
  placeToStart,
  screenOf,
  scrollToTop,
  type Place,
} from '#app/screens/assessment/questions/places.ts'
import { onRatingKey } from '#app/screens/assessment/sections/likert-keys.ts'
import { chooseRating, nothingFilled, onTakenRatingTap } from '#app/screens/assessment/sections/ranking-taps.ts'
import { noTaps, noteTouch, onChoiceClick, onChoiceKey } from '#app/screens/assessment/sections/single-choice-taps.ts'
import { MOBILE_BREAKPOINT_PX } from '#app/constants.ts'
import { firstUnanswered, sectionTypeOf, type Question, type Section } from '#contract/rules/questionnaire.ts'
import { isOpen } from '#contract/rules/statuses.ts'
import type { ShownQuestions } from './taking-over.ts'
import type { Markup } from './markup.ts'
import { frameOf, isOfApp, progressOf, ratingOf, statusOf, stripOf, tabsOf, type Shown } from './screen-markup.ts'

/** A finger that was lifted has tapped by then: the browser fires the click in a later task. */
const TAP_OVER_MS = 100
/** A finger that stays longer does not tap. */
const HELD_MS = 2000
/** If the app is not here by then, the page says why something has to wait. */
const APP_LATE_MS = 5000

/** Neither ended, nor waiting for its Submit, nor refused. */
export const isAnswerable = ({ instance }: ReadyInstance) => isOpen(instance.summary.status) && !instance.finish && !instance.trouble

interface Texts {
  language: string
  t: Translation['t']
  shell: Translation['t']
}

/**
 * Shows the questionnaire in `root` until React takes over, with the same answers as React's. Undefined, and nothing is shown, where the
 * app is needed: for an instance that has ended, waits for its Submit or was refused answers, and for the last screen.
 */
export function showFirst(
  root: HTMLElement,
  ready: ReadyInstance,
  questionnaire: Questionnaire,
  { language, t, shell }: Texts,
): ShownQuestions | undefined {
  const { answers } = questionnaire
  const { sections, instance } = ready
  const narrow = matchMedia(`(max-width: ${MOBILE_BREAKPOINT_PX}px)`)
  let place = placeToStart(sections, answers.snapshot().answers)
  const canShow = (at: Place) => {
    const section = sections[at.section]
    return section !== undefined && sectionTypeOf(section) !== undefined && !isOfApp(sections, at, narrow.matches)
  }
  if (!isAnswerable(ready) || !canShow(place)) return undefined

  const listening = new AbortController()
  const { signal } = listening
  let stops: (() => void)[] = []
  let advancing: AbortController | undefined
  let stopScrolling = () => {}
  let isAppLate = false

  const shown = (): Shown => ({
    sections,
    place,
    isPhone: narrow.matches,
    answers: answers.snapshot().answers,
    language,
    t,
    shell,
  })
  const status = () => {
    const state = questionnaire.get()
    const savedAt = state.state === 'ready' ? state.ready.instance.savedAt : null
    return statusOf(t, answers.snapshot(), savedAt, sendingInstance.get() === instance.instanceId)
  }
  const within = (selector: string) => root.querySelector<HTMLElement>(selector)

  function draw(): void {
    for (const stop of stops) stop()
    put(root, frameOf(shown(), status(), isAppLate))
    stops = [answers.subscribe(drawHead), answers.subscribeStatusCurrent(hideWhileStale), sendingInstance.subscribe(drawHead)]
    const section = sections[place.section]
    if (section) {
      const { from, count } = screenOf(section, place.question, narrow.matches)
      for (const question of section.questions.slice(from, from + count)) watch(section, question)
    }
    listen()
  }

  /** The parts that count; the questions stay as they are. */
  function drawHead(): void {
    put(within('.section-tabs'), ...tabsOf(shown()))
    put(within('.test-progress'), progressOf(shown()))
    within('.save-status')?.closest('.test-status > *')?.remove()
    within('.test-status')?.insertAdjacentHTML('afterbegin', status().text)
    hideWhileStale()
    listenToHead()
  }

  function hideWhileStale(): void {
    within('p.save-status')?.toggleAttribute('data-stale', !answers.isStatusCurrent())
  }

  function goTo(next: Place | undefined): void {
    if (!next || !canShow(next)) return
    advancing?.abort()
    if (next.section !== place.section) void questionnaire.send()
    place = next
    draw()
    const question = within(`#question-${place.section}-${place.question}`)
    question?.querySelector<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true })
    stopScrolling()
    if (question) stopScrolling = scrollToTop(question)
  }

  function listen(): void {
    within('.test-next')?.addEventListener('click', () => goTo(placeAfter(sections, place, narrow.matches)))
    within('.test-back')?.addEventListener('click', () => goTo(placeBefore(sections, place, narrow.matches)))
    within('[role=switch]')?.addEventListener('change', ({ target }) => setAutoAdvance((target as HTMLInputElement).checked))
    hideWhileStale()
    listenToHead()
  }

  function listenToHead(): void {
    for (const [section, tab] of root.querySelectorAll('[role=tab]').entries())
      tab.addEventListener('click', () => goTo({ section, question: 0 }))
    within('.test-left')?.addEventListener('click', () => goTo(firstUnanswered(sections, answers.snapshot().answers)))
  }

  /** Draws a question's answers as they change, and takes its taps and keys. */
  function watch(section: Section, question: Question): void {
    const props = { section, question, answers, onChosen: narrow.matches ? advance : undefined }
    const first = within(`input[name="${CSS.escape(question.subQuestions[0]?.id ?? question.id)}"]`)
    const fieldset = first?.closest('fieldset')
    if (!fieldset) return
    const isRanking = sectionTypeOf(section) === 'likertscale'
    const radios = () => fieldset.querySelectorAll<HTMLInputElement>('input[type=radio]')
    const drawAnswers = () => {
      const group = answers.group(question)
      for (const radio of radios()) {
        radio.checked = group[radio.name] === radio.value
        const statement = question.subQuestions.find(({ id }) => id === radio.name)
        const option = section.sectionOptions.find(({ value }) => value === radio.value)
        if (!isRanking || !statement || !option) continue
        const { takenBy, label } = ratingOf(t, question, group, statement, option)
        radio.disabled = takenBy !== undefined
        radio.setAttribute('aria-label', label)
      }
    }
    drawAnswers()
    stops.push(answers.subscribeGroup(question.id, drawAnswers))
    if (isRanking) return takeRatings()

    const taps = noTaps()
    fieldset.addEventListener('pointerdown', (event) => noteTouch(taps, event))
    fieldset.addEventListener('keydown', (event) => onChoiceKey(props, event))
    for (const radio of radios()) radio.addEventListener('click', (event) => onChoiceClick(taps, props, event, radio.value))

    function takeRatings(): void {
      const filled = nothingFilled()
      for (const statement of question.subQuestions) {
        const row = within(`[id="${CSS.escape(statement.id)}-text"]`)?.parentElement
        const choose = (rating: string, isTap: boolean) => chooseRating(filled, props, t, statement, rating, isTap)
        row?.addEventListener('click', (event) => onTakenRatingTap(event, (rating) => choose(rating, true)))
        row?.addEventListener('keydown', (event) =>
          onRatingKey(event, statement, answers.group(question), (rating) => choose(rating, false), row),
        )
        for (const radio of row?.querySelectorAll('input') ?? [])
          radio.addEventListener('click', ({ detail }) => choose(radio.value, detail > 0))
      }
    }
  }

  function advance(written: Promise<boolean>): void {
    advancing?.abort()
    const next = placeAfter(sections, place, narrow.matches)
    if (!next || !canShow(next) || !isAutoAdvanceOn()) return
    advancing = advanceSoon(answers, written, () => goTo(placeAfterAnswer(sections, next, answers)))
  }

  draw()
  const late = setTimeout(() => {
    isAppLate = true
    put(within('.shell-body > [role=status]'), stripOf(shell))
  }, APP_LATE_MS)
  narrow.addEventListener('change', draw, { signal })
  const question = within(`#question-${place.section}-${place.question}`)
  if (place.question > 0 && question) stopScrolling = scrollToTop(question)
  return {
    instanceId: instance.instanceId,
    place: () => place,
    untouched: watchTaps(signal),
    end: () => {
      clearTimeout(late)
      listening.abort()
      advancing?.abort()
      stopScrolling()
      for (const stop of stops) stop()
    },
  }
}

function put(element: HTMLElement | null, ...parts: Markup[]): void {
  if (element) element.innerHTML = parts.map(({ text }) => text).join('')
}

/** Resolves when nothing on the page is being tapped. */
function watchTaps(signal: AbortSignal): () => Promise<void> {
  let overAt = -Infinity
  const until = (ms: number) => () => {
    overAt = performance.now() + ms
  }
  addEventListener('pointerdown', until(HELD_MS), { capture: true, signal })
  for (const type of ['pointerup', 'pointercancel']) addEventListener(type, until(TAP_OVER_MS), { capture: true, signal })
  return async () => {
    for (let left = 0; (left = overAt - performance.now()) > 0;)
      await new Promise((resolve) => setTimeout(resolve, Math.min(left, TAP_OVER_MS)))
  }
}
