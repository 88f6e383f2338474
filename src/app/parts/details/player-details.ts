import * as z from 'zod/mini'
import { serverNow } from '#app/api/server-clock.ts'
import { SPORT } from '#contract/constants.ts'
import { requiredText, typedEmail } from '#contract/rules/fields.ts'
import { gender, isBirthDate, isOldEnough, TEAMS_MAXIMUM, type Team } from '#contract/rules/profile.ts'
import type { Profile, ProfileChange, ProfileField } from '#contract/users.ts'
import type { Edited } from './edits.ts'

/** A player's details as the form's values and as the body of an update. The form is flat; an id equals its name. PROFILE-12, PROFILE-14 */

/** All seven are required. PROFILE-8 */
const teamValues = z.object({
  clubType: requiredText('ClubTypeRequired'),
  clubName: requiredText('ClubNameRequired'),
  teamName: requiredText('TeamNameRequired'),
  country: requiredText('TeamCountryRequired'),
  location: requiredText('TeamLocationRequired'),
  teamGender: requiredText('TeamGenderRequired'),
  ageGroup: requiredText('AgeGroupRequired'),
})
type TeamValues = z.input<typeof teamValues>

export const emptyTeam: TeamValues = {
  clubType: '',
  clubName: '',
  teamName: '',
  country: '',
  location: '',
  teamGender: '',
  ageGroup: '',
}

/** Shared by the player, coach and onboarding forms. */
export const personalShape = {
  firstName: requiredText('FirstNameRequired'),
  lastName: requiredText('LastNameRequired'),
  email: typedEmail('EmailInvalid'),
  countryId: requiredText('CountryRequired'),
  cityId: requiredText('CityRequired'),
}

export const teamsShape = {
  teams: z.array(teamValues).check(z.maxLength(TEAMS_MAXIMUM, { error: 'TooManyTeams' })),
}

const birthPart = () => z.string().check(z.minLength(1, { error: 'BirthDateRequired' }))

interface Birth {
  month: string
  year: string
}

/** Checked once month and year are chosen. */
function birthRule(error: string, part: keyof Birth, holds: (birthDate: string) => boolean) {
  const isGiven = ({ month, year }: Birth) => month !== '' && year !== ''
  return z.refine<Birth>((birth) => !isGiven(birth) || holds(birthDateOf(birth)), { error, path: [part], abort: true })
}

/** `minimumAge` in years; until the settings have loaded, only the server checks it. */
export function playerDetails(minimumAge: number | undefined) {
  return z.object({
    ...personalShape,
    // '' is the form's “nothing chosen”
    gender: z.pipe(z.string(), gender),
    birth: z.object({ month: birthPart(), year: birthPart() }).check(
      // every year offered is valid, so only a month can lie ahead
      birthRule('BirthDateInvalid', 'month', (date) => isBirthDate(date, new Date(serverNow()))),
      birthRule('TooYoung', 'year', (date) => minimumAge === undefined || isOldEnough(date, minimumAge, new Date(serverNow()))),
    ),
    preferredPositionId: requiredText('BestPositionRequired'),
    ...teamsShape,
  })
}
type PlayerDetailsValues = z.input<ReturnType<typeof playerDetails>>
export type PlayerDetails = z.output<ReturnType<typeof playerDetails>>

/** Month '01'–'12' and year → year-month-01. PROFILE-14 */
function birthDateOf({ month, year }: Birth): string {
  return `${year}-${month}-01`
}

function teamValuesOf(team: Team): TeamValues {
  return {
    clubType: team.clubType.id,
    clubName: team.clubName,
    teamName: team.teamName,
    country: team.country.id,
    location: team.location.id,
    teamGender: team.teamGender,
    ageGroup: team.ageGroup.id,
  }
}

const namedById = (id: string) => ({ id, name: id })

export function teamOf(values: TeamValues): Team {
  return {
    clubType: namedById(values.clubType),
    clubName: values.clubName,
    teamName: values.teamName,
    country: namedById(values.country),
    location: namedById(values.location),
    teamGender: values.teamGender,
    ageGroup: namedById(values.ageGroup),
  }
}

export function personalValuesOf(profile: Profile) {
  return {
    firstName: profile.firstName ?? '',
    lastName: profile.lastName ?? '',
    email: profile.email,
    countryId: profile.countryId ?? '',
    cityId: profile.cityId ?? '',
  }
}

export function teamsValuesOf(profile: Profile): TeamValues[] {
  return profile.teams.map(teamValuesOf)
}

/** Profile → the form's initial values. */
export function playerValuesOf(profile: Profile): PlayerDetailsValues {
  const [year = '', month = ''] = profile.birthDate?.split('-') ?? []
  return {
    ...personalValuesOf(profile),
    gender: profile.gender ?? '',
    birth: { month, year },
    preferredPositionId: profile.preferredPosition?.id ?? '',
    teams: teamsValuesOf(profile),
  }
}

/** The body of a player's update. PROFILE-14 */
export function playerBodyOf(details: PlayerDetails): ProfileChange {
  return {
    firstName: details.firstName,
    lastName: details.lastName,
    email: details.email,
    cityId: details.cityId,
    countryId: details.countryId,
    gender: details.gender,
    birthDate: birthDateOf(details.birth),
    preferredPosition: namedById(details.preferredPositionId),
    sport: SPORT,
    teams: details.teams.map(teamOf),
  }
}

/** Fields of a body that have another name in the form. */
const FIELD_OF: Readonly<Record<string, ProfileField>> = { birth: 'birthDate', preferredPositionId: 'preferredPosition' }

/** What was edited in a form, with the names that the fields have in an update's body. */
export function profileEdits({ fields, version }: Edited): { fields: ProfileField[]; version: string | undefined } {
  return { fields: fields.map((name) => FIELD_OF[name] ?? (name as ProfileField)), version } // the others are named alike
}

/** The server's name of a field, as `teams.0.clubType.id` → the form's. */
export function fieldOnScreen(serverField: string): string {
  const path = serverField.replace(/\.(id|name)$/, '')
  // what the form did not find itself: somebody too young, before the settings have loaded
  if (path === 'birthDate') return 'birth.year'
  if (path === 'preferredPosition') return 'preferredPositionId'
  return path
}
