import { paths } from '#app/paths.ts'
import type { InstanceSummary } from '#contract/instances.ts'
import { canBuy, canOpenBrief, type ProfileFacts } from '#contract/rules/profile.ts'

/** A player starting a purchase: payment when the profile is complete, else the details step. HOME-13 */
export function purchasePath(assessmentId: string, profile: ProfileFacts | undefined): string {
  return profile && canBuy(profile) ? paths.payment(assessmentId) : paths.checkout(assessmentId)
}

/**
 * Opening an instance: its brief when the profile is complete enough, else its confirm-details (HOME-14). Offline, when details
 * cannot be saved, answering may begin anyway; they are asked for before Submit is sent (QUESTIONS-19).
 */
export function openPath(instanceId: string, profile: ProfileFacts | undefined, isReachable: boolean): string {
  return !isReachable || (profile && canOpenBrief(profile)) ? paths.brief(instanceId) : paths.confirmDetails(instanceId)
}

/** What a new player does first: buy, or begin what was bought or what a coach gave. */
export type FirstStep = 'buy' | 'begin' | 'invited'

/** undefined: not new, with something begun or done, or not known. `open`: in the panel's order. */
export function firstStep(
  open: readonly InstanceSummary[] | undefined,
  { done, hasBegun }: { done: number | undefined; hasBegun: boolean },
): FirstStep | undefined {
  if (open === undefined || hasBegun || done !== 0) return undefined
  const [next] = open
  if (next === undefined) return 'buy'
  return next.status === 'ALLOCATED' ? 'invited' : 'begin'
}
