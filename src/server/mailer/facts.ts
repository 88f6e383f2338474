import { plainName } from '#contract/rules/assessment-name.ts'
import { offerWords, type Offer } from '../content/offer.ts'
import type { Language } from '#contract/languages.ts'
import { storedLanguage } from '../words/words.ts'
import type { NewMail } from './store.ts'

/** From what happened to the mail that tells it. What is kept of it are facts; words.ts makes sentences of them. */

export interface Coach {
  firstName: string | null
  lastName: string | null
  email: string
  emailNormal: string
  language: string
}

export interface Invited {
  instanceId: string
  /** as the coach gave it */
  email: string
  emailNormal: string
  hasAccount: boolean
  language: Language
  isReminder: boolean
}

export function invitation(invited: Invited, coach: Coach, offer: Offer): NewMail {
  const { instanceId, email: to, emailNormal: toNormal, hasAccount, language, isReminder } = invited
  const { name, tagline, estimatedTimeMinutes } = offerWords(offer, language)
  const facts = {
    coach: nameInMail(coach),
    assessment: plainName(name),
    tagline,
    minutes: String(estimatedTimeMinutes),
    ...(hasAccount ? { hasAccount: 'yes' } : {}),
    ...(isReminder ? { isReminder: 'yes' } : {}),
  }
  return { kind: 'invitation', to, toNormal, instanceId, language, facts }
}

/** To the player who was invited: the coach has taken the assessment back. */
export function takenBack(told: Omit<Invited, 'hasAccount' | 'isReminder'>, coach: Coach, offer: Offer): NewMail {
  const { instanceId, email: to, emailNormal: toNormal, language } = told
  const facts = { coach: nameInMail(coach), assessment: plainName(offerWords(offer, language).name) }
  return { kind: 'taken-back', to, toNormal, instanceId, language, facts }
}

/** To the coach: the address they gave an assessment to belongs to a coach now, and the token is back (ASSIGN-9). */
export function tokenReturned(instanceId: string, coach: Coach, player: string, offer: Offer): NewMail {
  const language = storedLanguage(coach.language)
  const facts = { player, assessment: plainName(offerWords(offer, language).name) }
  return { kind: 'token-returned', to: coach.email, toNormal: coach.emailNormal, instanceId, language, facts }
}

/** J.Edgar, St.John: an initial or St before a name, which is written apart and then is no host's name. */
const INITIAL = /(?<![\p{L}\p{M}\p{N}])(\p{Lu}|Ste?)\.(?=\p{Lu}\p{Ll})/gu
// what a browser takes for a dot in a host's name
const DOTS = /[。｡]/gu
/**
 * What mail programs or people take for an address, a link, a telephone number or a code, in any script: a mark that only
 * these have, a dot right before two letters, 5 digits with no letter between them.
 */
const LINK_OR_NUMBER = /[@:/\\∕⁄]|www\.|\.[\p{L}\p{M}]{2,}|\p{Nd}(?:[^\p{L}\p{Nd}]*\p{Nd}){4,}/iu

/** '' where there is no name, or it is something else than a name: the words then speak of a coach. */
export function nameInMail({ firstName, lastName }: Coach): string {
  const name = [firstName, lastName].join(' ').replace(/\s+/gu, ' ').trim().replace(INITIAL, '$1. ')
  // wide forms and signs that are not seen hide nothing
  const read = name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(DOTS, '.')
  return LINK_OR_NUMBER.test(read) ? '' : name
}
