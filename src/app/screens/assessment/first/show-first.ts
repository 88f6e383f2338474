import { today } from '#app/i18n/moments.ts'
import type { Translation } from '#app/i18n/use-translation.ts'
import { sendingInstance } from '#app/device/sending/sync-events.ts'
import type { ReadyInstance } from '#app/device/store/stored.ts'
import type { Questionnaire } from '#app/questionnaire/questionnaire.ts'
import { advanceSoon, isAutoAdvanceOn, setAutoAdvance } from '#app/screens/assessment/questions/auto-advance.ts'
import {
  keepInSight,
  placeAfter,
  placeAfterAnswer,
  placeBefore,
  placeToStart,
  screenOf,
  sectionAfterKey,
  scrollToTop,
  type Place,
} from '#app/screens/assessment/questions/places.ts'
import { MOBILE_BREAKPOINT_PX } from '#app/constants.ts'
import { delay } from '#app/delay.ts'
import { firstUnanswered, type Section } from '#contract/rules/questionnaire.ts'
import { isOpen } from '#contract/rules/statuses.ts'
import type { ShownQuestions } from './handover.ts'
import { watchQuestion } from './watch-question.ts'
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

/** By then a lifted finger or key has tapped: the browser fires the click in a later task. */
const TAP_OVER_MS = 100
/** A finger or key held for longer does not tap. */
const LONG_PRESS_MS = 2000
/** how often to check whether the player has let go */
const POLL_MS = 50
/** If the app is not here by then, the page says why something has to wait. */
const APP_LATE_MS = 5000

/** Neither ended, nor waiting for its Submit, nor refused. */
const isAnswerable = ({ instance }: ReadyInstance) => isOpen(instance.summary.status) && !instance.finish && !instance.trouble

/**
 * Why nothing can be answered any more. Undefined if it can: refused answers can still be changed, as in the app.
 * @param ready undefined: it is another person's now, or nobody's
 */
function whyOver(ready: ReadyInstance | undefined) {
  if (!ready) return 'TestOverWaits'
  const { summary, finish } = ready.instance
  if (isOpen(summary.status)) return finish ? 'TestOverWaits' : undefined
  return summary.status === 'COMPLETED' ? 'TestOverCompleted' : 'TestOverReclaimed'
}

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
  const canShow = (at: Place) => !isOfApp(sections, at, narrow.matches)
  if (!isAnswerable(ready) || !canShow(place)) return undefined

  const listening = new AbortController()
  const { signal } = listening
  let stops: (() => void)[] = []
  let advancing: AbortController | undefined
  let over: ReturnType<typeof whyOver>
  let stopScrolling = () => {}

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
    const section = sections[place.section]
    if (!section) return
    drawHead()
    replace(within('#section-panel'), panelOf(shown(), section))
    put(within('.test-footer-row'), ...footerOf(shown()))
    watchQuestions(section)
  }

  function watchQuestions(section: Section): void {
    for (const stop of stops) stop()
    const { from, count } = screenOf(section, place.question, narrow.matches)
    const onChosen = narrow.matches ? advance : undefined
    stops = section.questions.slice(from, from + count).map((question) => watchQuestion(root, { section, question, answers, onChosen }, t))
  }

  /** The parts that show counts; the questions stay as they are. */
  function drawHead(): void {
    put(within('.section-tabs'), ...tabsOf(shown()))
    put(within('.test-progress'), progressOf(shown()))
    put(within('.test-status'), ...headEndOf(t, status()))
    hideWhileStale()
  }

  function hideWhileStale(): void {
    within('p.save-status')?.toggleAttribute('data-stale', !answers.listeners.isStatusCurrent())
  }

  function goTo(next: Place | undefined): void {
    if (!next || !canShow(next)) return
    advancing?.abort()
    if (next.section !== place.section) void questionnaire.send()
    place = next
    draw()
    // moving along the tabs with arrow keys leaves the focus on the tab
    if (document.activeElement?.getAttribute('role') !== 'tab')
      within(`${questionAt(place)} [tabindex="-1"]`)?.focus({ preventScroll: true })
    scrollToPlace()
  }

  function scrollToPlace(): void {
    const question = within(questionAt(place))
    stopScrolling()
    if (question) stopScrolling = scrollToTop(question)
  }

  /** What ended elsewhere, or belongs to another person now, is removed at once: the app, which explains it, may take minutes to load. */
  function follow(now: ReadyInstance | undefined): void {
    const why = whyOver(now)
    if (why === over) return
    over = why
    advancing?.abort()
    stopScrolling()
    const content = within('#content')
    if (!content) return
    const hadFocus = content.contains(document.activeElement)
    content.innerHTML = (why ? overOf(shown(), t(why)) : testOf(shown(), status())).text
    hideWhileStale()
    const section = sections[place.section]
    if (!why && section) watchQuestions(section)
    if (hadFocus) within('h1')?.focus({ preventScroll: true })
  }

  /** The phone was turned, or the window narrowed: the question reached stays, with its focus. */
  function turn(): void {
    if (over) return
    const focused = document.activeElement
    draw()
    if (focused instanceof HTMLInputElement && !focused.isConnected)
      within(`input[name="${CSS.escape(focused.name)}"][value="${CSS.escape(focused.value)}"]`)?.focus({ preventScroll: true })
    if (place.question > 0) scrollToPlace()
  }

  function listen(): void {
    root.addEventListener('click', ({ target }) => target instanceof Element && press(target), { signal })
    root.addEventListener('keydown', pressArrow, { signal })
    root.addEventListener('change', ({ target }) => isSwitch(target) && setAutoAdvance(target.checked), { signal })
    root.addEventListener('focusin', ({ target, relatedTarget }) => target instanceof Element && noteReached(target, relatedTarget), {
      signal,
    })
    narrow.addEventListener('change', turn, { signal })
  }

  function press(target: Element): void {
    const tab = target.closest<HTMLElement>('[role=tab]')
    if (tab) goTo({ section: tabs().indexOf(tab), question: 0 })
    else if (target.closest('.test-next')) goTo(placeAfter(sections, place, narrow.matches))
    else if (target.closest('.test-back')) goTo(placeBefore(sections, place, narrow.matches))
    else if (target.closest('.test-left')) goTo(firstUnanswered(sections, answers.snapshot().answers))
  }

  function pressArrow(event: KeyboardEvent): void {
    const isOnTabs = event.target instanceof Element && event.target.closest('[role=tab]') !== null
    const next = isOnTabs ? sectionAfterKey(event.key, place.section, sections.length) : undefined
    if (next === undefined || !canShow({ section: next, question: 0 })) return
    event.preventDefault()
    tabs()[next]?.focus()
    goTo({ section: next, question: 0 })
  }

  const tabs = () => [...root.querySelectorAll<HTMLElement>('[role=tab]')]

  /** Where a screen shows several questions, the last one reached. */
  function noteReached(target: Element, from: EventTarget | null): void {
    const [, question] = /^question-\d+-(\d+)$/.exec(target.closest('.test-question')?.id ?? '') ?? []
    if (question === undefined) return
    keepInSight(target, from)
    place = { section: place.section, question: Number(question) }
  }

  function advance(written: Promise<boolean>): void {
    advancing?.abort()
    const next = placeAfter(sections, place, narrow.matches)
    if (!next || !canShow(next) || !isAutoAdvanceOn()) return
    advancing = advanceSoon(answers, written, () => goTo(placeAfterAnswer(sections, next, answers)))
  }

  root.innerHTML = frameOf(shown(), status()).text
  hideWhileStale()
  const section = sections[place.section]
  if (section) watchQuestions(section)
  listen()
  const stopsAtEnd = [
    answers.listeners.subscribe(drawHead),
    questionnaire.subscribe(drawHead),
    answers.listeners.subscribeStatusCurrent(hideWhileStale),
    sendingInstance.subscribe(drawHead),
    today.subscribe(drawHead),
  ]
  const late = setTimeout(() => put(within('.shell-body > [role=status]'), stripOf(shell)), APP_LATE_MS)
  if (place.question > 0) scrollToPlace()
  const isTapped = watchTaps(signal)
  // the next question, drawn here, would get the second half of a double tap
  const isMovingOn = () => (advancing && !advancing.signal.aborted) || within('[data-ignores-taps]') !== null
  return {
    instanceId: instance.instanceId,
    place: () => place,
    follow,
    async untouched() {
      while (isTapped() || isMovingOn()) await delay(POLL_MS)
    },
    end: () => {
      clearTimeout(late)
      listening.abort()
      advancing?.abort()
      stopScrolling()
      for (const stop of [...stops, ...stopsAtEnd]) stop()
    },
  }
}

const questionAt = ({ section, question }: Place) => `#question-${section}-${question}`

const isSwitch = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.getAttribute('role') === 'switch'

/** Whether something on the page is being tapped, or a key is down. */
function watchTaps(signal: AbortSignal): () => boolean {
  let overAt = -Infinity
  const until = (ms: number) => () => {
    overAt = performance.now() + ms
  }
  for (const type of ['pointerdown', 'keydown']) addEventListener(type, until(LONG_PRESS_MS), { capture: true, signal })
  for (const type of ['pointerup', 'pointercancel', 'keyup']) addEventListener(type, until(TAP_OVER_MS), { capture: true, signal })
  return () => performance.now() < overAt
}
