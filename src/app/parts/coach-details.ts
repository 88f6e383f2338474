import * as z from 'zod/mini'
import type { Profile, ProfileChange } from '#contract/users.ts'
import { personalShape, personalValuesOf, teamOf, teamsShape, teamsValuesOf } from './player-details.ts'

/** A coach's details: the player's rules without gender, birth date and position. §5, §7 Update user */
export const coachDetails = z.object({ ...personalShape, ...teamsShape })
export type CoachDetailsValues = z.input<typeof coachDetails>
export type CoachDetails = z.output<typeof coachDetails>

export function coachValuesOf(profile: Profile): CoachDetailsValues {
  return { ...personalValuesOf(profile), teams: teamsValuesOf(profile) }
}

/** §7 Update user, the coach's body. */
export function coachBodyOf({ teams, firstName, lastName, email, cityId, countryId }: CoachDetails): ProfileChange {
  return { firstName, lastName, email, cityId, countryId, teams: teams.map(teamOf) }
}
