import { paths } from '#app/paths.ts'
import { canBuy, canOpenBrief, type ProfileFacts } from '#contract/rules/profile.ts'

/** A player starting a purchase: payment when the profile is complete, else the details step. §4 */
export function purchasePath(assessmentId: string, profile: ProfileFacts | undefined): string {
  return profile && canBuy(profile) ? paths.payment(assessmentId) : paths.checkout(assessmentId)
}

/**
 * Opening an instance: its brief when the profile is complete enough, else its confirm-details (§4). Details cannot
 * be saved without the API, so answering may begin then; they are asked for before Submit is sent (ruling 27).
 */
export function openPath(instanceId: string, profile: ProfileFacts | undefined, isReachable: boolean): string {
  return !isReachable || (profile && canOpenBrief(profile)) ? paths.brief(instanceId) : paths.confirmDetails(instanceId)
}
