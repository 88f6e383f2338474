import { isAnswered, RATINGS, type GroupValue, type SubQuestion } from '#contract/rules/questionnaire.ts'
import type { ChosenBy } from './ranking-taps.ts'

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/**
 * Keys 1 to 4 rate the focused statement, even if another has that rating; Space, Delete and Backspace clear it; Space first
 * confirms one that filled itself in. In a full
 * group, where every other radio is disabled, arrow keys swap the rating with the next higher or lower one. QUESTIONS-9
 * @param choose gives a rating, or clears it if it is already given; draws it at once, as until then the radio of a taken rating is
 *   disabled and cannot be focused
 * @param row of the statement
 */
export function onRatingKey(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target' | 'preventDefault'>,
  statement: SubQuestion,
  group: GroupValue,
  choose: (rating: string, by: ChosenBy) => void,
  row: HTMLElement,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const current = group[statement.id] ?? null
  const isClear = isClearKey(event, current)
  const rating = isClear ? current : ratingOf(event.key, current, group)
  if (rating === undefined) return
  event.preventDefault()
  if (rating === null || (!isClear && rating === current)) return
  choose(rating, event.key === ' ' ? 'click' : 'key')
  // otherwise the next Tab would go to the chosen radio instead of the next statement
  if (!isClear) row.querySelector<HTMLInputElement>(`input[value="${rating}"]`)?.focus()
}

/** Space on the chosen radio clears it. */
function isClearKey({ key, target }: Pick<KeyboardEvent, 'key' | 'target'>, current: string | null): boolean {
  if (key === ' ') return current !== null && target instanceof HTMLInputElement && target.value === current
  return key === 'Delete' || key === 'Backspace'
}

/** The rating that a key sets; undefined: the browser handles the key. */
function ratingOf(key: string, current: string | null, group: GroupValue): string | undefined {
  if (RATINGS.some((rating) => rating === key)) return key
  const step = STEPS[key]
  if (step === undefined || current === null || !Object.values(group).every(isAnswered)) return undefined
  return RATINGS[RATINGS.findIndex((rating) => rating === current) + step] ?? current
}
