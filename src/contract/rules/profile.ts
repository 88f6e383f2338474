import * as z from 'zod/mini'
import { BIRTH_YEARS, SPORT } from '../constants.ts'
import { requiredText } from './fields.ts'

/**
 * Profile rules (PROFILE-6 to PROFILE-9), shared by the forms and the server. Messages are keys of `locales/*\/fields.json`, so that the
 * contract is independent of language.
 */

export const GENDERS = ['male', 'female'] as const

/** The years of birth to choose from, newest first. PROFILE-18 */
export function birthYears(thisYear: number): number[] {
  return Array.from({ length: BIRTH_YEARS }, (_, i) => thisYear - i)
}

/** The date and time where each day begins first: 14 hours before UTC. */
const inEarliestZone = (now: Date) => new Date(now.getTime() + 14 * 3_600_000).toISOString()

/** Whether it is year-month-01, with one of the years to choose from and a month that has begun somewhere on earth. PROFILE-18 */
export function isBirthDate(text: string, now: Date): boolean {
  if (!/^\d{4}-(0[1-9]|1[0-2])-01$/.test(text)) return false
  const latest = inEarliestZone(now)
  return text.slice(0, 7) <= latest.slice(0, 7) && Number(text.slice(0, 4)) > Number(latest.slice(0, 4)) - BIRTH_YEARS
}

/** Whether somebody born in that month is at least this old, counted from its first day in the earliest time zone. PROFILE-19 */
export function isOldEnough(birthDate: string, years: number, now: Date): boolean {
  const latest = inEarliestZone(now)
  const youngest = `${String(Number(latest.slice(0, 4)) - years).padStart(4, '0')}${latest.slice(4, 7)}`
  return birthDate.slice(0, 7) <= youngest
}

const named = (required: string) => z.strictObject({ id: requiredText(required), name: requiredText(required) }, { error: required })

/** Teams in one profile. PROFILE-12 */
export const TEAMS_MAXIMUM = 20

/** A team of a profile. PROFILE-12, PROFILE-8 */
export const team = z.strictObject({
  clubType: named('ClubTypeRequired'),
  clubName: requiredText('ClubNameRequired'),
  teamName: requiredText('TeamNameRequired'),
  country: named('TeamCountryRequired'),
  location: named('TeamLocationRequired'),
  teamGender: requiredText('TeamGenderRequired'),
  ageGroup: named('AgeGroupRequired'),
})
export type Team = z.output<typeof team>

export const gender = z.enum(GENDERS, { error: 'GenderRequired' })
export const birthDate = z.string({ error: 'BirthDateRequired' }).check(
  z.minLength(1, { error: 'BirthDateRequired' }),
  z.refine<string>((text) => text === '' || isBirthDate(text, new Date()), { error: 'BirthDateInvalid' }),
)
export const preferredPosition = named('BestPositionRequired')
export const sport = z.strictObject({
  id: z.literal(SPORT.id, { error: 'SportInvalid' }),
  name: z.literal(SPORT.name, { error: 'SportInvalid' }),
})

/** The fields that the completeness rules check. */
export interface ProfileFacts {
  firstName?: string | null
  lastName?: string | null
  birthDate?: string | null
  countryId?: string | null
  cityId?: string | null
  gender?: string | null
  sport?: { id: string } | null
  preferredPosition?: { id: string } | null
}

/** Whether a player who starts a purchase goes to the payment step, and not to the details step. HOME-13 */
export function canBuy(profile: ProfileFacts): boolean {
  return canOpenBrief(profile) && Boolean(profile.countryId && profile.cityId)
}

/** Whether opening an instance leads to its brief, and not to its confirm-details. HOME-14 */
export function canOpenBrief(profile: ProfileFacts): boolean {
  return Boolean(
    profile.firstName && profile.lastName && profile.birthDate && profile.gender && profile.sport?.id && profile.preferredPosition?.id,
  )
}

/** Whether a coach goes to purchase-token, and not to the coach's confirm-details. HOME-15 */
export function canBuyTokens(profile: ProfileFacts): boolean {
  return Boolean(profile.firstName && profile.lastName && profile.countryId && profile.cityId)
}
