import { page, type FirstQuestions } from '#app/begun.ts'
import type { Place } from '#app/screens/assessment/questions/places.ts'

/** The questions on screen. */
export interface ShownQuestions {
  instanceId: string
  place: () => Place
  /** resolves when no finger is on the page and what it tapped has been handled */
  untouched: () => Promise<void>
  /** stops them; what is on screen stays until React replaces it */
  end: () => void
}

interface TakingOver extends FirstQuestions {
  noteShown: (questions: ShownQuestions) => void
  /** Runs it once React has drawn the screen, or something else in its place. */
  onReplaced: (run: () => void) => void
}

/** @param root what React draws in */
export function takingOver(root: HTMLElement): TakingOver {
  const ends: (() => void)[] = []
  let shown: ShownQuestions | undefined
  let left: { instanceId: string; place: Place; focused: readonly number[] | undefined; scrolled: number } | undefined
  return {
    noteShown: (questions) => {
      shown = questions
    },
    onReplaced: (run) => void ends.push(run),
    async replace(draw) {
      await shown?.untouched()
      if (page.begun) page.begun.isDrawn = true
      if (shown) {
        const { instanceId, place, end } = shown
        left = { instanceId, place: place(), focused: pathTo(document.activeElement, root), scrolled: scrollY }
        end()
      }
      root.removeAttribute('inert')
      draw()
      for (const run of ends) run()
    },
    placeIn: (instanceId) => (left?.instanceId === instanceId ? left.place : undefined),
    restore() {
      if (!left) return
      const { focused, scrolled } = left
      left = undefined
      const element = focused?.reduce<Element | undefined>((parent, index) => parent?.children[index], root)
      if (element instanceof HTMLElement) element.focus({ preventScroll: true })
      scrollTo(0, scrolled)
    },
  }
}

/** Positions of an element and its parents within `root`; undefined if it is elsewhere. */
function pathTo(element: Element | null, root: HTMLElement): number[] | undefined {
  if (!element || !root.contains(element)) return undefined
  const path: number[] = []
  for (let at = element; at !== root && at.parentElement; at = at.parentElement) path.unshift([...at.parentElement.children].indexOf(at))
  return path
}
