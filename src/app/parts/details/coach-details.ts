import * as z from 'zod/mini'
import type { Profile, ProfileChange } from '#contract/users.ts'
import { personalShape, personalValuesOf, teamOf, teamsShape, teamsValuesOf } from './player-details.ts'

/** A coach's details: the player's rules without gender, birth date and position. PROFILE-9, PROFILE-15 */
export const coachDetails = z.object({ ...personalShape, ...teamsShape })
type CoachDetailsValues = z.input<typeof coachDetails>
type CoachDetails = z.output<typeof coachDetails>

/** The checkout's variant, without teams: an incomplete team in the profile must not prevent buying. */
export const coachReview = z.object(personalShape)
type CoachReview = z.output<typeof coachReview>

export function coachValuesOf(profile: Profile): CoachDetailsValues {
  return { ...personalValuesOf(profile), teams: teamsValuesOf(profile) }
}

/** The body of a coach's update. PROFILE-15 */
export function coachBodyOf({ teams, ...person }: CoachDetails): ProfileChange {
  return { ...coachReviewBodyOf(person), teams: teams.map(teamOf) }
}

/** The body of an update without teams: the server leaves omitted fields unchanged. */
export function coachReviewBodyOf({ firstName, lastName, email, cityId, countryId }: CoachReview): ProfileChange {
  return { firstName, lastName, email, cityId, countryId }
}
