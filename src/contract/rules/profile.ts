import * as z from 'zod/mini'
import { BIRTH_YEARS } from '../constants.ts'
import { cleanEmail, EMAIL_LENGTH_MAXIMUM, isEmail } from './email.ts'

/**
 * Profile rules (PROFILE-6 to PROFILE-9), shared by the forms and the server. Messages are keys of `locales/*\/fields.json`,
 * so the contract speaks no language.
 */

// Control characters, lone surrogates and direction overrides never belong in a name (INPUT-23)
const FORBIDDEN_IN_TEXT = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u
export const TEXT_LENGTH_MAXIMUM = 100

/** Text that must be there; `required` is the key shown when it is not. */
export function requiredText(required: string) {
  return z
    .string({ error: required })
    .check(z.trim(), z.minLength(1, { error: required }), z.maxLength(TEXT_LENGTH_MAXIMUM, { error: 'NameInvalid' }), plainText())
}

function plainText() {
  return z.refine<string>(isPlainText, { error: 'NameInvalid' })
}

export function isPlainText(text: string): boolean {
  return !FORBIDDEN_IN_TEXT.test(text)
}

export function email(invalid = 'EmailInvalid') {
  return z.string({ error: invalid }).check(z.trim(), ...oneAddress(invalid))
}

/** Of a form: what was pasted with the address goes before it is judged. */
export function typedEmail(invalid = 'EmailInvalid') {
  return z.string({ error: invalid }).check(z.overwrite(cleanEmail), ...oneAddress(invalid))
}

function oneAddress(invalid: string) {
  return [z.maxLength(EMAIL_LENGTH_MAXIMUM, { error: invalid }), z.refine<string>(isEmail, { error: invalid })] as const
}

export const GENDERS = ['male', 'female'] as const

/** PROFILE-18: the last 100 years, starting from the current one. */
export function birthYears(thisYear: number): number[] {
  return Array.from({ length: BIRTH_YEARS }, (_, i) => thisYear - i)
}

/** year-month-01, the year among those offered, the month not in the future anywhere on earth. PROFILE-18 */
export function isBirthDate(text: string, now: Date): boolean {
  if (!/^\d{4}-(0[1-9]|1[0-2])-01$/.test(text)) return false
  const latest = new Date(now.getTime() + 14 * 3_600_000).toISOString()
  return text.slice(0, 7) <= latest.slice(0, 7) && Number(text.slice(0, 4)) > Number(latest.slice(0, 4)) - BIRTH_YEARS
}

/** Whether whoever was born in that month is so many years old: from its first day on, wherever on earth. PROFILE-19 */
export function isOldEnough(birthDate: string, years: number, now: Date): boolean {
  const latest = new Date(now.getTime() + 14 * 3_600_000).toISOString()
  const youngest = `${String(Number(latest.slice(0, 4)) - years).padStart(4, '0')}${latest.slice(4, 7)}`
  return birthDate.slice(0, 7) <= youngest
}

const named = (required: string) => z.strictObject({ id: requiredText(required), name: requiredText(required) }, { error: required })

/** As many teams as a profile may have. PROFILE-12 */
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
  id: z.literal('soccer', { error: 'SportInvalid' }),
  name: z.literal('Soccer', { error: 'SportInvalid' }),
})

/** What the completeness rules look at. */
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

/** A player starting a purchase goes to payment when this holds, else to the details step. HOME-13 */
export function canBuy(profile: ProfileFacts): boolean {
  return canOpenBrief(profile) && Boolean(profile.countryId && profile.cityId)
}

/** Opening an instance goes to its brief when this holds, else to its confirm-details. HOME-14 */
export function canOpenBrief(profile: ProfileFacts): boolean {
  return Boolean(
    profile.firstName && profile.lastName && profile.birthDate && profile.gender && profile.sport?.id && profile.preferredPosition?.id,
  )
}

/** A coach goes to purchase-token when this holds, else to coach confirm-details. HOME-15 */
export function canBuyTokens(profile: ProfileFacts): boolean {
  return Boolean(profile.firstName && profile.lastName && profile.countryId && profile.cityId)
}
