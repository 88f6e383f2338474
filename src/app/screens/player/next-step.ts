import { paths } from '#app/paths.ts'
import type { InstanceSummary } from '#contract/instances.ts'
import { canBuy, canOpenBrief, type ProfileFacts } from '#contract/rules/profile.ts'

/** A player starting a purchase: payment when the profile is complete, else the details step. HOME-13 */
export function purchasePath(assessmentId: string, profile: ProfileFacts | undefined): string {
  return profile && canBuy(profile) ? paths.payment(assessmentId) : paths.checkout(assessmentId)
}

/**
 * Opening an instance: its brief when the profile is complete enough, else its confirm-details (HOME-14). Details cannot
 * be saved without the API, so answering may begin then; they are asked for before Submit is sent (QUESTIONS-19).
 */
export function openPath(instanceId: string, profile: ProfileFacts | undefined, isReachable: boolean): string {
  return !isReachable || (profile && canOpenBrief(profile)) ? paths.brief(instanceId) : paths.confirmDetails(instanceId)
}

/** What somebody new does first: buy, or begin what was bought, or what a coach gave. */
export type FirstStep = 'buy' | 'begin' | 'invited'

/** undefined: not new, something is begun or done; or nothing is known. `open`: in the order of the panel. */
export function firstStep(
  open: readonly InstanceSummary[] | undefined,
  { done, hasBegun }: { done: number | undefined; hasBegun: boolean },
): FirstStep | undefined {
  if (open === undefined || hasBegun || done !== 0) return undefined
  const [next] = open
  if (next === undefined) return 'buy'
  return next.status === 'ALLOCATED' ? 'invited' : 'begin'
}
