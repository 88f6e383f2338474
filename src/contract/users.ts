import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { instanceSummary } from './instances.ts'
import { email, requiredText } from './rules/fields.ts'
import { birthDate, gender, preferredPosition, sport, team, TEAMS_MAXIMUM } from './rules/profile.ts'
import { challenge, codeSession, oneTimeCode, userTypeCode } from './auth.ts'

/** Profiles. PROFILE-11, API-30, API-32 */

const named = z.object({ id: z.string(), name: z.string() })

/** A team as it was stored: of rules that have become stricter since, the form tells, and not the reader of a reply. */
const storedTeam = z.object({
  clubType: named,
  clubName: z.string(),
  teamName: z.string(),
  country: named,
  location: named,
  teamGender: z.string(),
  ageGroup: named,
})

/** A user's profile, as the user sees it. null: not entered yet, or not for the caller to see. */
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
  teams: z.array(storedTeam),
  /** PROFILE-13: only in a coach's own profile */
  totalTokens: z.optional(z.int()),
  usedTokens: z.optional(z.int()),
  /** only in the own profile: changes with whatever a details form changes; for `update` */
  version: z.optional(z.string()),
})
export type Profile = z.output<typeof profile>

/** A profile with the user's instances, oldest first. API-30 */
const profileWithAssessments = z.object({ ...profile.shape, assessmentInstances: z.array(instanceSummary) })
export type ProfileWithAssessments = z.output<typeof profileWithAssessments>

/**
 * A change to a profile. Players, coaches and the photo step each send some of these fields (PROFILE-14 to PROFILE-16). The e-mail must
 * be the current one.
 */
const profileFields = z.strictObject({
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
})
const profileChange = z.partial(profileFields)
export type ProfileChange = z.output<typeof profileChange>
export type ProfileField = keyof ProfileChange

/** Names of fields, with commas between; '' for none. */
const fieldNames = z.string().check(z.refine((text) => text === '' || text.split(',').every((name) => name in profileFields.shape)))

const id = z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(100)) })

export const users = {
  /**
   * The caller's own profile. A coach also gets that of a player who opened the brief of an instance they allocated: name, e-mail,
   * picture, position and sport, with those instances. 404 for any other user, whether they exist or not (ROLES-10).
   */
  get: endpoint({
    method: 'GET',
    path: 'user/{id}',
    access: ['player', 'coach'],
    params: id,
    reply: profileWithAssessments,
    errors: [],
    tag: 'User',
    summary: 'Your profile or, for a coach, part of that of a player',
  }),
  /** The same as `get`, under a second path. API-30 */
  withAssessments: endpoint({
    method: 'GET',
    path: 'user/{id}/profile-with-assessments',
    access: ['player', 'coach'],
    params: id,
    reply: profileWithAssessments,
    errors: [],
    tag: 'User',
    summary: 'Your profile with your assessment instances',
  }),
  /**
   * Changes the given fields of the caller's own profile. 404 for anybody else's; 400 UNKNOWN_FIELD if a coach sends a player's field. A form
   * sends all that it has, and names in `edited` those that the person has edited: only these are changed, as others may have been saved in
   * another tab or on another device since. It also sends the `version` of the profile that it began with: 409 PROFILE_CHANGED, and nothing is
   * changed, if another save has come first.
   */
  update: endpoint({
    method: 'PATCH',
    path: 'user/{id}',
    access: ['player', 'coach'],
    params: id,
    query: z.strictObject({ edited: z.optional(fieldNames), version: z.optional(z.string().check(z.maxLength(100))) }),
    body: profileChange,
    reply: profile,
    errors: ['INVALID_NAME', 'INVALID_EMAIL', 'INVALID_BIRTH_DATE', 'INVALID_COUNTRY', 'INVALID_CITY', 'PROFILE_CHANGED'],
    changes: ['User'],
    summary: 'Update your profile',
  }),
  /** Mails the code that `deactivate` requires. A repeat from the same session within 60 s returns the same challenge, and sends no second mail. */
  deactivateCode: endpoint({
    method: 'POST',
    path: 'user/{id}/deactivate/code',
    access: ['player', 'coach'],
    params: id,
    reply: challenge,
    errors: ['MAIL_UNAVAILABLE'],
    summary: 'Request the code for closing your account',
  }),
  /**
   * Closes the caller's account and ends all its sessions. A mail says how to have it reopened within REOPEN_DAYS; after that, everything
   * personal is erased.
   */
  deactivate: endpoint({
    method: 'POST',
    path: 'user/{id}/deactivate',
    access: ['player', 'coach'],
    params: id,
    /** a code that `deactivateCode` sent; a sign-in code is not accepted */
    body: z.strictObject({ session: codeSession, otp: oneTimeCode }),
    /** UTC instant, ISO 8601 */
    reply: z.object({ reopenUntil: z.string() }),
    errors: ['INVALID_CODE_FORMAT', 'INVALID_CODE', 'CODE_EXPIRED', 'CODE_EXHAUSTED'],
    summary: 'Close your account',
  }),
}
