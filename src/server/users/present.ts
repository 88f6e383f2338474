import type { Account } from '#contract/users.operator.ts'
import type { Profile } from '#contract/users.ts'
import type { Balance } from '../ledger/store.ts'
import { profileVersionOf, type User } from './store.ts'

/** What users see of themselves. */
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
    version: profileVersionOf(user),
  }
}

/** A coach's own profile says how many tokens were bought and used. PROFILE-13 */
export function presentCoach(user: User, { total: totalTokens, used: usedTokens }: Balance): Profile {
  return { ...presentProfile(user), totalTokens, usedTokens }
}

/** What a coach sees of a player they allocated an assessment to: name, e-mail, picture, position and sport, no other personal details. API-30 */
export function presentForCoach(user: User): Profile {
  const { version: _own, ...profile } = presentProfile(user)
  return { ...profile, cityId: null, countryId: null, gender: null, birthDate: null, teams: [] }
}

/** What the operator sees: whose account it is and its state, not where they play or when they were born. */
export function presentAccount(user: User): Account {
  return {
    ...presentForCoach(user),
    preferredPosition: null,
    sport: null,
    hasProfilePicture: false,
    createdAt: user.createdAt.toISOString(),
    deactivatedAt: user.deactivatedAt?.toISOString() ?? null,
  }
}
