import { normalEmail } from '#contract/rules/email.ts'
import { isOldEnough } from '#contract/rules/profile.ts'
import type { ProfileChange, users } from '#contract/users.ts'
import type { Handler } from '../http/handler.ts'
import { UNKNOWN_FIELD } from '../http/refusal.ts'
import { findPictureFile, retirePicture } from '../pictures/store.ts'
import { findCountry, isCityOf } from '../reference/places.ts'
import { readBalance } from '../ledger/store.ts'
import { presentCoach, presentProfile } from './present.ts'
import { changeUser, changeUserIfUnchanged, findUser, type User, type UserChange } from './store.ts'

/** The fields of a player's body that a coach's does not have. PROFILE-15 */
const PLAYER_FIELDS = ['gender', 'birthDate', 'preferredPosition', 'sport'] as const

/** Changes the caller's own profile, never the role or the e-mail. PROFILE-17 */
export const update: Handler<typeof users.update> = async ({ params, query, body: given, caller, refuse, deps }) => {
  if (params.id !== caller.userId) return refuse('NOT_FOUND')
  const user = await findUser(deps.db, params.id)
  if (!user) return refuse('NOT_FOUND')
  if (caller.kind === 'coach') {
    const foreign = PLAYER_FIELDS.filter((field) => given[field] !== undefined)
    if (foreign.length > 0) return refuse('UNKNOWN_FIELD', { fields: Object.fromEntries(foreign.map((field) => [field, UNKNOWN_FIELD])) })
  }
  if (given.email !== undefined && normalEmail(given.email) !== user.emailNormal) {
    return refuse('INVALID_EMAIL', { fields: { email: 'EmailInvalid' } })
  }
  const body = editedOf(given, query.edited)
  const { minimumAge } = deps.env
  if (body.birthDate !== undefined && !isOldEnough(body.birthDate, minimumAge, deps.clock.now())) {
    return refuse('INVALID_BIRTH_DATE', { fields: { birthDate: 'TooYoung' }, numbers: { age: minimumAge } })
  }
  const problem = await placeProblem(user, body)
  if (problem === 'country') return refuse('INVALID_COUNTRY', { fields: { countryId: 'CountryInvalid' } })
  if (problem === 'city') return refuse('INVALID_CITY', { fields: { cityId: 'CityInvalid' } })
  // true requires a finalized upload; false removes the picture
  if (body.hasProfilePicture === true && (await findPictureFile(deps.db, user.id)) === undefined) {
    return refuse('INVALID_INPUT', { fields: { hasProfilePicture: 'PictureMissing' } })
  }
  const changed = await deps.db.transaction(async (tx) => {
    const one =
      query.version === undefined
        ? await changeUser(tx, user.id, changeOf(user, body))
        : await changeUserIfUnchanged(tx, user.id, changeOf(user, body), query.version)
    if (one && one !== 'changed' && body.hasProfilePicture === false) await retirePicture(tx, user.id, deps.clock.now())
    return one
  })
  if (changed === 'changed') return refuse('PROFILE_CHANGED')
  if (!changed) return refuse('NOT_FOUND')
  return caller.kind === 'coach' ? presentCoach(changed, await readBalance(deps.db, changed.id)) : presentProfile(changed)
}

function editedOf(body: ProfileChange, edited: string | undefined): ProfileChange {
  if (edited === undefined) return body
  const names = new Set(edited.split(','))
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.has(name)))
}

async function placeProblem(user: User, { countryId, cityId }: ProfileChange): Promise<'country' | 'city' | undefined> {
  if (countryId !== undefined && !findCountry(countryId)) return 'country'
  const country = countryId ?? user.countryId
  if (cityId !== undefined && !(country !== null && (await isCityOf(country, cityId)))) return 'city'
  return undefined
}

function changeOf(user: User, { email: _same, ...body }: ProfileChange): UserChange {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
  // changing the country clears the city (PROFILE-22)
  const isCityLost = body.countryId !== undefined && body.countryId !== user.countryId && body.cityId === undefined
  return { ...given, ...(isCityLost ? { cityId: null } : {}) }
}
