import type { Profile } from '#contract/users.ts'
import type { User } from './store.ts'

/** What leaves the server of a user, to that user alone. */
export function presentProfile(user: User): Profile {
  const { id: userId, userType: userTypeCode, email, firstName, lastName, cityId, countryId } = user
  const { gender, birthDate, preferredPosition, sport, hasProfilePicture, teams } = user
  return {
    userId,
    userTypeCode,
    firstName,
    lastName,
    email,
    cityId,
    countryId,
    gender,
    birthDate,
    preferredPosition,
    sport,
    hasProfilePicture,
    teams,
  }
}
