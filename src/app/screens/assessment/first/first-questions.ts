import type { Place } from '#app/screens/assessment/questions/places.ts'

/**
 * The questions that the page shows before React has loaded (first-questions.ts beside main.tsx), and how React takes over from them:
 * at a moment when no finger is on them, at the same place, with the same focus. docs/decisions/0064-the-first-question-before-react.md
 */
export interface FirstQuestions {
  instanceId: string
  place: () => Place
  /** resolves when no finger is on the page and what it tapped has been handled */
  untouched: () => Promise<void>
  /** stops them; whatever is on screen stays until React replaces it */
  end: () => void
}

let shown: FirstQuestions | undefined
let leftAt: { instanceId: string; place: Place; focused: readonly number[] | undefined; scrolled: number } | undefined
let isOver = false
const ends: (() => void)[] = []

export function noteShown(questions: FirstQuestions): void {
  shown = questions
}

/** React takes over, or has done so: none may be shown any more. */
export const isTakenOver = (): boolean => isOver

/** Runs it once React has drawn the screen, or something else in its place. */
export function onTakenOver(run: () => void): void {
  ends.push(run)
}

/** Renders React's screen as soon as nobody is tapping: `render` must draw before it returns where `isShown`. */
export async function takeOver(render: (isShown: boolean) => void): Promise<void> {
  await shown?.untouched()
  isOver = true
  if (shown) {
    leftAt = {
      instanceId: shown.instanceId,
      place: shown.place(),
      focused: pathTo(document.activeElement),
      scrolled: scrollY,
    }
    shown.end()
    root()?.removeAttribute('inert')
  }
  render(shown !== undefined)
  for (const end of ends) end()
}

/** Where the player was on this instance's first questions; undefined if React shows it by itself. */
export function placeLeft(instanceId: string): Place | undefined {
  return leftAt?.instanceId === instanceId ? leftAt.place : undefined
}

/** Focuses what was focused, and scrolls to where the page was, once the same elements are there again. */
export function restoreFocus(): void {
  if (!leftAt) return
  const { focused, scrolled } = leftAt
  leftAt = undefined
  const element = focused?.reduce<Element | undefined>((parent, index) => parent?.children[index], root() ?? undefined)
  if (element instanceof HTMLElement) element.focus({ preventScroll: true })
  scrollTo(0, scrolled)
}

const root = () => document.getElementById('root')

/** Positions of an element and its parents within the root; undefined if it is elsewhere. */
function pathTo(element: Element | null): number[] | undefined {
  const path: number[] = []
  for (let at = element; at && at !== root(); at = at.parentElement) path.unshift([...(at.parentElement?.children ?? [])].indexOf(at))
  return element && root()?.contains(element) ? path : undefined
}
