import { earlyStart, type FirstQuestions } from '#app/early-start.ts'
import { hasUnwrittenHere } from '#app/device/sending/unwritten.ts'
import type { ReadyInstance } from '#app/device/store/stored.ts'
import { scrollToBe, type Place } from '#app/screens/assessment/questions/places.ts'

/** The questions on screen. */
export interface ShownQuestions {
  instanceId: string
  place: () => Place
  /** Shows what became of the instance; undefined if it is not this person's any more. */
  follow: (now: ReadyInstance | undefined) => void
  /** resolves when no finger is on the page, no key is down, and what they did has been handled */
  untouched: () => Promise<void>
  /** stops them; what is on screen stays until React replaces it */
  end: () => void
}

/** Where the player was when React took over. */
interface Left {
  instanceId: string
  place: Place
  focused: readonly number[] | undefined
  scrolled: number
  inView: { id: string; top: number } | undefined
}

interface Handover extends FirstQuestions {
  noteShown: (questions: ShownQuestions) => void
  /** Runs it once React has drawn the screen, or something else in its place. */
  onReplaced: (run: () => void) => void
}

/** @param root what React draws in */
export function createHandover(root: HTMLElement): Handover {
  const ends: (() => void)[] = []
  let shown: ShownQuestions | undefined
  let left: Left | undefined
  return {
    noteShown: (questions) => {
      shown = questions
    },
    onReplaced: (run) => void ends.push(run),
    async replace(draw) {
      await shown?.untouched()
      const early = earlyStart()
      if (early) early.isDrawn = true
      if (shown) {
        const { instanceId, place, end } = shown
        left = {
          instanceId,
          place: place(),
          focused: pathTo(document.activeElement, root),
          scrolled: scrollY,
          inView: questionInView(root),
        }
        end()
      }
      draw()
      // if another screen was drawn, a later one must not restore this
      left = undefined
      for (const run of ends) run()
    },
    placeIn: (instanceId) => (left?.instanceId === instanceId ? left.place : undefined),
    hasUnwritten: hasUnwrittenHere,
    restore() {
      if (!left) return
      const { focused, scrolled, inView } = left
      left = undefined
      const element = focused?.reduce<Element | undefined>((parent, index) => parent?.children[index], root)
      if (element instanceof HTMLElement) element.focus({ preventScroll: true })
      scrollTo(0, scrolled)
      const question = inView && document.getElementById(inView.id)
      if (question) scrollToBe(question, inView.top)
    },
  }
}

/** The heights above it are estimated again once React has drawn, so the scroll position alone would lead elsewhere (content-visibility). */
function questionInView(root: HTMLElement): { id: string; top: number } | undefined {
  for (const question of root.querySelectorAll('.test-question')) {
    const { top, bottom } = question.getBoundingClientRect()
    if (bottom > innerHeight / 2) return { id: question.id, top }
  }
  return undefined
}

/** Positions of an element and its parents within `root`; undefined if it is elsewhere. */
function pathTo(element: Element | null, root: HTMLElement): number[] | undefined {
  if (!element || !root.contains(element)) return undefined
  const path: number[] = []
  for (let at = element; at !== root && at.parentElement; at = at.parentElement) path.unshift([...at.parentElement.children].indexOf(at))
  return path
}
