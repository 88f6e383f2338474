import { boolean, check, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { USER_TYPE_CODES, type UserTypeCode } from '#contract/rules/user-types.ts'
import { GENDERS, type Team } from '#contract/rules/profile.ts'
import { instant, oneOf } from './columns.ts'

export interface IdAndName {
  id: string
  name: string
}

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    /** NFKC and lower case: one e-mail is one account (LOGIN-21) */
    emailNormal: text('email_normal').notNull().unique('users_email_normal_unique'),
    userType: text('user_type').$type<UserTypeCode>().notNull(),
    firstName: text('first_name'),
    lastName: text('last_name'),
    cityId: text('city_id'),
    countryId: text('country_id'),
    gender: text('gender').$type<(typeof GENDERS)[number]>(),
    /** year-month-01 */
    birthDate: text('birth_date'),
    preferredPosition: jsonb('preferred_position').$type<IdAndName>(),
    sport: jsonb('sport').$type<IdAndName>(),
    teams: jsonb('teams').$type<Team[]>().notNull().default([]),
    hasProfilePicture: boolean('has_profile_picture').notNull().default(false),
    language: text('language').notNull().default('en'),
    /** how often the profile was saved: makes its `version` another even if a save puts former values back (docs/decisions/0071) */
    saves: integer('saves').notNull().default(0),
    /** position of the database's log after the account's last write, while there is a read replica (db/replica.ts) */
    logPosition: text('written'),
    /** when the user closed the account; it is erased 30 days later, unless it is reopened */
    deactivatedAt: instant('deactivated_at'),
    /** when it was erased: only the id is left, to which payment records refer */
    erasedAt: instant('erased_at'),
    createdAt: instant('created_at').notNull(),
  },
  () => [check('users_user_type', oneOf('user_type', USER_TYPE_CODES)), check('users_gender', oneOf('gender', GENDERS))],
)
