import { normalEmail, EMAIL_LENGTH_MAXIMUM, isEmail } from './email.ts'

/** Players' addresses, judged before anything is sent. */

/** Why a piece is no address: what there is to mend. */
export type AddressFault = 'NoAt' | 'SeveralAts' | 'Space' | 'NoDomain' | 'TooLong' | 'Characters'

/** RFC 5321 */
const LOCAL_LENGTH_MAXIMUM = 64

/** undefined: it is an address. */
export function addressFault(text: string): AddressFault | undefined {
  if (isEmail(text)) return undefined
  if (text.length > EMAIL_LENGTH_MAXIMUM || text.indexOf('@') > LOCAL_LENGTH_MAXIMUM) return 'TooLong'
  const ats = text.split('@').length - 1
  if (ats === 0) return 'NoAt'
  if (/\s/.test(text.trim())) return 'Space'
  if (ats > 1) return 'SeveralAts'
  return /^[^@]+@[^@.]+(\.[^@.]+)*\.[^@.]{2,}$/.test(text) && !/\.\d+$/.test(text) ? 'Characters' : 'NoDomain'
}

/**
 * ready: can be sent, a token is there for it · noToken: more than there are tokens · sent: went out already ·
 * refused: the server said no to it · allocated: holds this assessment · own: the coach's · duplicate: stands further up ·
 * invalid: no address.
 */
export type AddressVerdict = 'ready' | 'noToken' | 'sent' | 'refused' | 'allocated' | 'own' | 'duplicate' | 'invalid'

export interface JudgedAddress {
  /** as it was written */
  text: string
  account: string
  verdict: AddressVerdict
  fault?: AddressFault
}

/** What addresses are judged by; accounts as `normalEmail` has them. */
export interface AddressFacts {
  own: string
  /** tokens left */
  available: number
  /** hold the assessment, and have not completed it */
  allocated: ReadonlySet<string>
  /** went out from this very list */
  sent: ReadonlySet<string>
  /** the server will not take them, however often they are sent */
  refused: ReadonlySet<string>
}

/** Each piece of the list, in its order; tokens go to the first that need one. A coach's address is only known when it is sent. */
export function judgeAddresses(addresses: readonly string[], facts: AddressFacts): JudgedAddress[] {
  const seen = new Set<string>()
  let left = facts.available
  return addresses.map((text) => {
    const account = normalEmail(text)
    const fault = addressFault(text)
    const verdict = fault ? 'invalid' : seen.has(account) ? 'duplicate' : verdictOf(account, facts, left)
    if (!fault) seen.add(account)
    if (verdict === 'ready') left -= 1
    return { text, account, verdict, ...(fault ? { fault } : {}) }
  })
}

function verdictOf(account: string, { own, allocated, sent, refused }: AddressFacts, left: number): AddressVerdict {
  if (account === own) return 'own'
  if (sent.has(account)) return 'sent'
  if (refused.has(account)) return 'refused'
  if (allocated.has(account)) return 'allocated'
  return left > 0 ? 'ready' : 'noToken'
}
