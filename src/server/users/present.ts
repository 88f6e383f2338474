import type { Account } from '#contract/users.operator.ts'
import type { Profile } from '#contract/users.ts'
import type { Balance } from '../ledger/store.ts'
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

/** A coach's own profile says how many tokens were bought and used. PROFILE-13 */
export function presentCoach(user: User, { total: totalTokens, used: usedTokens }: Balance): Profile {
  return { ...presentProfile(user), totalTokens, usedTokens }
}

/** To the coach who gave a player an assessment: who it is and where they play, nothing about their person. API-30 */
export function presentForCoach(user: User): Profile {
  return { ...presentProfile(user), cityId: null, countryId: null, gender: null, birthDate: null, teams: [] }
}

/** To whoever operates the product: whose account it is and in which state, nothing of where somebody plays or was born. */
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
