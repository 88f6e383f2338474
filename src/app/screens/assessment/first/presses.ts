import { setAutoAdvance } from '#app/screens/assessment/questions/auto-advance.ts'
import { keepInSight, placeAfter, placeBefore, sectionAfterKey } from '#app/screens/assessment/questions/places.ts'
import { firstUnanswered } from '#contract/rules/questionnaire.ts'
import { canShow, type FirstScreen } from './drawing.ts'
import type { Moves } from './moving.ts'

/** By then a lifted finger or key has tapped: the browser fires the click in a later task. */
const TAP_OVER_MS = 100
/** A finger or key held for longer does not tap. */
const LONG_PRESS_MS = 2000

/** Does what the buttons, tabs and keys of the screen ask for; the questions take their own. */
export function takePresses(screen: FirstScreen, { goTo }: Pick<Moves, 'goTo'>, signal: AbortSignal): void {
  const { root } = screen
  root.addEventListener('click', ({ target }) => target instanceof Element && press(screen, goTo, target), { signal })
  root.addEventListener('keydown', (event) => pressArrow(screen, goTo, event), { signal })
  root.addEventListener('change', ({ target }) => isSwitch(target) && setAutoAdvance(target.checked), { signal })
  root.addEventListener('focusin', ({ target, relatedTarget }) => target instanceof Element && noteReached(screen, target, relatedTarget), {
    signal,
  })
}

function press(screen: FirstScreen, goTo: Moves['goTo'], target: Element): void {
  const { ready, place, narrow, questionnaire } = screen
  const tab = target.closest<HTMLElement>('[role=tab]')
  if (tab) goTo({ section: tabsIn(screen).indexOf(tab), question: 0 })
  else if (target.closest('.test-next')) goTo(placeAfter(ready.sections, place, narrow.matches))
  else if (target.closest('.test-back')) goTo(placeBefore(ready.sections, place, narrow.matches))
  else if (target.closest('.test-left')) goTo(firstUnanswered(ready.sections, questionnaire.answers.snapshot().answers))
}

function pressArrow(screen: FirstScreen, goTo: Moves['goTo'], event: KeyboardEvent): void {
  const isOnTabs = event.target instanceof Element && event.target.closest('[role=tab]') !== null
  const next = isOnTabs ? sectionAfterKey(event.key, screen.place.section, screen.ready.sections.length) : undefined
  if (next === undefined || !canShow(screen, { section: next, question: 0 })) return
  event.preventDefault()
  tabsIn(screen)[next]?.focus()
  goTo({ section: next, question: 0 })
}

const tabsIn = ({ root }: FirstScreen) => [...root.querySelectorAll<HTMLElement>('[role=tab]')]

/** Where a screen shows several questions, the last one reached. */
function noteReached(screen: FirstScreen, target: Element, from: EventTarget | null): void {
  const [, question] = /^question-\d+-(\d+)$/.exec(target.closest('.test-question')?.id ?? '') ?? []
  if (question === undefined) return
  keepInSight(target, from)
  screen.place = { section: screen.place.section, question: Number(question) }
}

const isSwitch = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.getAttribute('role') === 'switch'

/** Whether something on the page is being tapped, or a key is down. */
export function watchTaps(signal: AbortSignal): () => boolean {
  let overAt = -Infinity
  const until = (ms: number) => () => {
    overAt = performance.now() + ms
  }
  for (const type of ['pointerdown', 'keydown']) addEventListener(type, until(LONG_PRESS_MS), { capture: true, signal })
  for (const type of ['pointerup', 'pointercancel', 'keyup']) addEventListener(type, until(TAP_OVER_MS), { capture: true, signal })
  return () => performance.now() < overAt
}
