import { plainName } from '#contract/rules/assessment-name.ts'
import { offerWords, type Offer } from '../content/offer.ts'
import type { Language } from '#contract/languages.ts'
import { storedLanguage } from '../words/words.ts'
import type { NewMail } from './store.ts'

/** Mails to queue. They are stored as facts; messages.ts turns them into sentences. */

interface Coach {
  firstName: string | null
  lastName: string | null
  email: string
  emailNormal: string
  language: string
}

interface InvitedInstance {
  instanceId: string
  /** as the coach typed it */
  email: string
  emailNormal: string
  hasAccount: boolean
  language: Language
  isReminder: boolean
}

export function invitation(invited: InvitedInstance, coach: Coach, offer: Offer): NewMail {
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

/** To the invited player: the coach has reclaimed the assessment. */
export function takenBack(told: Omit<InvitedInstance, 'hasAccount' | 'isReminder'>, coach: Coach, offer: Offer): NewMail {
  const { instanceId, email: to, emailNormal: toNormal, language } = told
  const facts = { coach: nameInMail(coach), assessment: plainName(offerWords(offer, language).name) }
  return { kind: 'taken-back', to, toNormal, instanceId, language, facts }
}

interface ReturnedToken {
  instanceId: string
  /** the address */
  player: string
  /** false: the token makes up for one that was refunded */
  isTokenFree: boolean
}

/** To the coach: the address now belongs to a coach's account, and the token has been returned (ASSIGN-9). */
export function tokenReturned({ instanceId, player, isTokenFree }: ReturnedToken, coach: Coach, offer: Offer): NewMail {
  const language = storedLanguage(coach.language)
  const facts = { player, assessment: plainName(offerWords(offer, language).name), ...(isTokenFree ? {} : { isOwed: 'yes' }) }
  return { kind: 'token-returned', to: coach.email, toNormal: coach.emailNormal, instanceId, language, facts }
}

/** J.Edgar, St.John: an initial or St before a name. With a space after the dot it no longer reads as a host name. */
const INITIAL = /(?<![\p{L}\p{M}\p{N}])(\p{Lu}|Ste?)\.(?=\p{Lu}\p{Ll})/gu
// what browsers accept as a dot in a host name
const DOTS = /[。｡]/gu
/**
 * What mail programs or people read as an address, a link, a telephone number or a code, in any script: a character that only
 * these have, a dot directly before two letters, or 5 digits with no letter between them.
 */
const LINK_OR_NUMBER = /[@:/\\∕⁄]|www\.|\.[\p{L}\p{M}]{2,}|\p{Nd}(?:[^\p{L}\p{Nd}]*\p{Nd}){4,}/iu

/** '' if there is no name, or it does not look like one: the mail then says "your coach". */
export function nameInMail({ firstName, lastName }: Coach): string {
  const name = [firstName, lastName].join(' ').replace(/\s+/gu, ' ').trim().replace(INITIAL, '$1. ')
  // full-width forms and invisible characters must hide nothing
  const read = name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(DOTS, '.')
  return LINK_OR_NUMBER.test(read) ? '' : name
}
