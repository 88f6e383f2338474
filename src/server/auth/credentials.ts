import { createHmac } from 'node:crypto'
import { errors as joseErrors, jwtVerify, SignJWT, type JWTVerifyGetKey } from 'jose'
import * as z from 'zod/mini'
import type { Credentials } from '#contract/auth.ts'
import { USER_TYPE_CODES } from '#contract/rules/user-types.ts'
import type { Deps } from '../deps.ts'
import { isSameSecret, type Keys } from '../keys.ts'
import { accountProof } from './account-proof.ts'
import { ABSOLUTE_DAYS } from './refresh-rules.ts'

/** Seconds. It must exceed 600, or the portal would refresh for ever (SESSION-13). */
const ACCESS_TOKEN_SECONDS = 1800
const LEEWAY_SECONDS = 60
const DAY_SECONDS = 86_400

type Signer = Pick<Deps, 'env' | 'keys' | 'clock' | 'random'>

interface Bearer {
  id: string
  email: string
  userType: (typeof USER_TYPE_CODES)[number]
  firstName: string | null
  lastName: string | null
}

const audienceOf = (env: Deps['env']) => `${env.publicUrl}/api`
const idAudienceOf = (env: Deps['env']) => env.publicUrl

/** Access token for the API (no e-mail in it), id token for the portal, and the refresh token of that count. */
export async function makeCredentials(deps: Signer, user: Bearer, session: RefreshClaims): Promise<Credentials> {
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ')
  const [accessToken, idToken] = await Promise.all([
    sign(deps, 'at+jwt', audienceOf(deps.env), user.id, { sid: session.id, userTypeCode: user.userType }),
    sign(deps, 'JWT', idAudienceOf(deps.env), user.id, {
      email: user.email,
      ...(name ? { name } : {}),
      ...(user.firstName ? { given_name: user.firstName } : {}),
      account_proof: accountProof(deps.keys, user.id),
    }),
  ])
  return { accessToken, idToken, refreshToken: makeRefreshToken(deps.keys, session), expiresIn: ACCESS_TOKEN_SECONDS }
}

async function sign(deps: Signer, typ: string, audience: string, subject: string, claims: Record<string, unknown>): Promise<string> {
  const [key] = deps.keys.signing
  if (!key) throw new Error('no signing key')
  const now = Math.floor(deps.clock.now().getTime() / 1000)
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', typ, kid: key.kid })
    .setIssuer(deps.env.publicUrl)
    .setAudience(audience)
    .setSubject(subject)
    .setIssuedAt(now)
    .setExpirationTime(now + ACCESS_TOKEN_SECONDS)
    .setJti(deps.random.id())
    .sign(key.privateKey)
}

const accessClaims = z.object({ sub: z.uuid(), sid: z.uuid(), userTypeCode: z.enum(USER_TYPE_CODES), exp: z.number() })
export type AccessClaims = z.output<typeof accessClaims>

/** undefined unless it is a valid access token of ours: by algorithm, type, issuer, audience, key and, unless it may be expired, time. */
export async function readAccessToken(deps: Signer, token: string, mayBeExpired: boolean): Promise<AccessClaims | undefined> {
  const keyOf: JWTVerifyGetKey = ({ kid }) => {
    const key = deps.keys.signing.find((one) => one.kid === kid)
    if (!key) throw new joseErrors.JWKSNoMatchingKey()
    return key.publicKey
  }
  try {
    const { payload } = await jwtVerify(token, keyOf, {
      algorithms: ['ES256'],
      typ: 'at+jwt',
      issuer: deps.env.publicUrl,
      audience: audienceOf(deps.env),
      requiredClaims: ['sub', 'sid', 'exp', 'iat', 'jti'],
      clockTolerance: mayBeExpired ? ABSOLUTE_DAYS * DAY_SECONDS : LEEWAY_SECONDS,
      currentDate: deps.clock.now(),
    })
    return accessClaims.safeParse(payload).data
  } catch (error) {
    if (error instanceof joseErrors.JOSEError || error instanceof TypeError) return undefined
    throw error
  }
}

/** A refresh token names its session and its number in it, so that it can be derived again without being stored. */
interface RefreshClaims {
  id: string
  counter: number
  salt: string
}

function makeRefreshToken(keys: Keys, session: RefreshClaims): string {
  return `${session.id}.${session.counter}.${refreshHmac(keys, session)}`
}

function refreshHmac(keys: Keys, { id, counter, salt }: RefreshClaims): string {
  return createHmac('sha256', keys.refreshKey).update(`${id}.${counter}.${salt}`).digest('base64url')
}

/** The parts as claimed: nothing is verified before `isRefreshTokenGenuine`. */
export function readRefreshToken(token: string): { id: string; counter: number; hmac: string } | undefined {
  const [, id, counter, hmac] = /^([0-9a-f-]{36})\.(\d{1,9})\.([\w-]{43})$/.exec(token) ?? []
  return id === undefined || counter === undefined || hmac === undefined ? undefined : { id, counter: Number(counter), hmac }
}

export function isRefreshTokenGenuine(keys: Keys, session: RefreshClaims, hmac: string): boolean {
  return isSameSecret(hmac, refreshHmac(keys, session))
}
