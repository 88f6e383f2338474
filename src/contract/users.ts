import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { instanceSummary } from './instances.ts'
import { birthDate, email, gender, preferredPosition, requiredText, sport, team, TEAMS_MAXIMUM } from './rules/profile.ts'
import { challenge, codeSession, oneTimeCode, userTypeCode } from './auth.ts'

/** Profiles. PROFILE-11, API-30, API-32 */

const named = z.object({ id: z.string(), name: z.string() })

/** What leaves the server of a user: to the person, everything here; null is "not given yet". */
export const profile = z.object({
  userId: z.string(),
  userTypeCode,
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  email: z.string(),
  cityId: z.nullable(z.string()),
  countryId: z.nullable(z.string()),
  gender: z.nullable(gender),
  birthDate: z.nullable(z.string()),
  preferredPosition: z.nullable(named),
  sport: z.nullable(named),
  hasProfilePicture: z.boolean(),
  teams: z.array(team),
  /** PROFILE-13: only in a coach's own profile */
  totalTokens: z.optional(z.int()),
  usedTokens: z.optional(z.int()),
})
export type Profile = z.output<typeof profile>

/** A profile with assessmentInstances (API-30): those the person takes, oldest first. */
export const profileWithAssessments = z.object({ ...profile.shape, assessmentInstances: z.array(instanceSummary) })
export type ProfileWithAssessments = z.output<typeof profileWithAssessments>

/** PROFILE-14 to PROFILE-16: the player's body, the coach's, and the photo step are all parts of this one. E-mail is checked, never changed. */
export const profileChange = z.partial(
  z.strictObject({
    firstName: requiredText('FirstNameRequired'),
    lastName: requiredText('LastNameRequired'),
    email: email('EmailInvalid'),
    cityId: requiredText('CityRequired'),
    countryId: requiredText('CountryRequired'),
    gender,
    birthDate,
    preferredPosition,
    sport,
    teams: z.array(team).check(z.maxLength(TEAMS_MAXIMUM, { error: 'TooManyTeams' })),
    hasProfilePicture: z.boolean(),
  }),
)
export type ProfileChange = z.output<typeof profileChange>

const id = z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(100)) })

export const users = {
  get: endpoint({
    method: 'GET',
    path: 'user/{id}',
    access: ['player', 'coach'],
    params: id,
    reply: profileWithAssessments,
    errors: [],
    tag: 'User',
    summary: 'The own profile; to a coach, some of it of a player with an instance of theirs',
  }),
  /** The same as `get`, under its other path. API-30 */
  withAssessments: endpoint({
    method: 'GET',
    path: 'user/{id}/profile-with-assessments',
    access: ['player', 'coach'],
    params: id,
    reply: profileWithAssessments,
    errors: [],
    tag: 'User',
    summary: 'The same profile with its assessment instances',
  }),
  update: endpoint({
    method: 'PATCH',
    path: 'user/{id}',
    access: ['player', 'coach'],
    params: id,
    body: profileChange,
    reply: profile,
    errors: ['INVALID_NAME', 'INVALID_EMAIL', 'INVALID_BIRTH_DATE', 'INVALID_COUNTRY', 'INVALID_CITY'],
    changes: ['User'],
    summary: 'Change the own profile',
  }),
  /** Sends the code that `deactivate` asks for. A start within 60 s from the same session answers the live challenge, no second mail. */
  deactivateCode: endpoint({
    method: 'POST',
    path: 'user/{id}/deactivate/code',
    access: ['player', 'coach'],
    params: id,
    reply: challenge,
    errors: ['MAIL_UNAVAILABLE'],
    summary: 'Ask for the code that closes the own account',
  }),
  /** Every session ends at once, and a mail says how to undo it within REOPEN_DAYS; then everything personal is erased. */
  deactivate: endpoint({
    method: 'POST',
    path: 'user/{id}/deactivate',
    access: ['player', 'coach'],
    params: id,
    /** a code of `deactivateCode`; one of a sign-in closes nothing */
    body: z.strictObject({ session: codeSession, otp: oneTimeCode }),
    /** UTC instant, ISO 8601 */
    reply: z.object({ reopenUntil: z.string() }),
    errors: ['INVALID_CODE_FORMAT', 'INVALID_CODE', 'CODE_EXPIRED', 'CODE_EXHAUSTED'],
    summary: 'Close the own account',
  }),
}
