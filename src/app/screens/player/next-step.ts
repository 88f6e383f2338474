import { paths } from '#app/paths.ts'
import type { InstanceSummary } from '#contract/instances.ts'
import { canBuy, canOpenBrief, type ProfileFacts } from '#contract/rules/profile.ts'

/** Where a purchase starts: at the payment if the profile is complete, else at the details. HOME-13 */
export function purchasePath(assessmentId: string, profile: ProfileFacts | undefined): string {
  return profile && canBuy(profile) ? paths.payment(assessmentId) : paths.checkout(assessmentId)
}

/**
 * Where an instance opens: at its brief if the profile is complete enough, else at its confirm-details (HOME-14). Offline, when
 * details cannot be saved, it opens at the brief anyway; the details are asked for before Submit is sent (QUESTIONS-19).
 */
export function openPath(instanceId: string, profile: ProfileFacts | undefined, isReachable: boolean): string {
  return !isReachable || (profile && canOpenBrief(profile)) ? paths.brief(instanceId) : paths.confirmDetails(instanceId)
}

/** What a new player does first: buy an assessment, or begin one that was bought or that a coach gave. */
export type FirstStep = 'buy' | 'begin' | 'invited'

/**
 * undefined for a player who has begun or completed something, or while that is unknown.
 * @param open open instances in the panel's order
 */
export function firstStep(
  open: readonly InstanceSummary[] | undefined,
  { done, hasBegun }: { done: number | undefined; hasBegun: boolean },
): FirstStep | undefined {
  if (open === undefined || hasBegun || done !== 0) return undefined
  const [next] = open
  if (next === undefined) return 'buy'
  return next.status === 'ALLOCATED' ? 'invited' : 'begin'
}
