import { normalEmail, EMAIL_LENGTH_MAXIMUM, isEmail, LOCAL_BYTES_MAXIMUM } from './email.ts'

/** Judges a coach's list of players' addresses before anything is sent. */

/** Why a text is not an address, so that the coach can be told what to correct. */
type AddressFault = 'NoAt' | 'SeveralAts' | 'Space' | 'NoDomain' | 'TooLong' | 'Characters'

/** undefined if the text is an address. */
export function addressFault(text: string): AddressFault | undefined {
  if (isEmail(text)) return undefined
  // each letter is a byte or more
  if (text.length > EMAIL_LENGTH_MAXIMUM || text.indexOf('@') > LOCAL_BYTES_MAXIMUM) return 'TooLong'
  const ats = text.split('@').length - 1
  if (ats === 0) return 'NoAt'
  if (/\s/.test(text.trim())) return 'Space'
  if (ats > 1) return 'SeveralAts'
  return /^[^@]+@[^@.]+(\.[^@.]+)*\.[^@.]{2,}$/.test(text) && !/\.\d+$/.test(text) ? 'Characters' : 'NoDomain'
}

/**
 * ready: can be sent, and there is a token for it · noToken: there is no token left for it · sent: sent already · refused: the server
 * refused it · allocated: has this assessment already · own: the coach's own · duplicate: is in the list above · invalid: not an address.
 */
export type AddressVerdict = 'ready' | 'noToken' | 'sent' | 'refused' | 'allocated' | 'own' | 'duplicate' | 'invalid'

export interface JudgedAddress {
  /** as it was written */
  text: string
  /** as `normalEmail` returns it */
  account: string
  verdict: AddressVerdict
  fault?: AddressFault
}

/** What addresses are judged by. All addresses are as `normalEmail` returns them. */
export interface AddressFacts {
  own: string
  /** tokens left */
  available: number
  /** have the assessment and have not completed it */
  allocated: ReadonlySet<string>
  /** have been sent from this list */
  sent: ReadonlySet<string>
  /** the server refused them, and would refuse them again */
  refused: ReadonlySet<string>
}

/** Judges each entry, in order; the first ones get the tokens. Whether an address is another coach's is known only when it is sent. */
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
