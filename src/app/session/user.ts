import { isUserTypeCode, type UserTypeCode } from '#contract/rules/user-types.ts'
import { claimsIn, type Claims } from './claims.ts'

/** The signed-in person, from the id token. SESSION-2 */
export interface SessionUser {
  id: string
  email: string
  name: string
  given_name: string | undefined
  /** that this device was signed in to the account (docs/decisions/0059); undefined in tokens of older servers */
  proof: string | undefined
}

/** The person in an id token; undefined without one, or if it cannot be decoded (which is logged). SESSION-2 */
export function userOf(idToken: string | undefined): SessionUser | undefined {
  const claims = claimsOf(idToken)
  if (!claims) return undefined
  const givenName = text(claims['given_name'])
  return {
    id: text(claims['sub']) ?? 'Unknown',
    email: text(claims['email']) ?? text(claims['sub']) ?? 'Unknown',
    name: text(claims['name']) ?? givenName ?? 'User',
    given_name: givenName,
    proof: text(claims['account_proof']),
  }
}

/** The type of account in an access token. SESSION-1 */
export function userTypeCodeOf(accessToken: string | undefined): UserTypeCode | undefined {
  const code = claimsOf(accessToken)?.['userTypeCode']
  return isUserTypeCode(code) ? code : undefined
}

/** The id of the session of an access token, which a refresh does not change. SECURITY-2 */
export const sessionIdOf = (accessToken: string | undefined) => text(claimsOf(accessToken)?.['sid'])

/** When an access token was issued, epoch ms by the server's clock; undefined if it cannot be read. */
export function issuedAtOf(accessToken: string | undefined): number | undefined {
  const seconds = claimsOf(accessToken)?.['iat']
  return typeof seconds === 'number' ? seconds * 1000 : undefined
}

function claimsOf(token: string | undefined): Claims | undefined {
  if (!token) return undefined
  try {
    return claimsIn(token)
  } catch (error) {
    console.error('A token could not be read', error)
    return undefined
  }
}

function text(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' ? claim : undefined
}
