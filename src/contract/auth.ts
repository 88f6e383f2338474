import * as z from 'zod/mini'
import { DEVICES_MAXIMUM, ONE_TIME_CODE_LENGTH } from './constants.ts'
import { endpoint } from './endpoint.ts'
import { email, requiredText } from './rules/profile.ts'

/** Sign-in and session. LOGIN-13 to LOGIN-21, API-4 to API-9 */

export const USER_TYPE_CODES = ['player', 'coach'] as const
export const userTypeCode = z.enum(USER_TYPE_CODES, { error: 'UserTypeInvalid' })
export type UserTypeCode = z.output<typeof userTypeCode>

/** The only challenge there is; the portal treats any other as unexpected. LOGIN-5 */
export const EMAIL_OTP = 'EMAIL_OTP'

export const challenge = z.object({ session: z.string(), challengeName: z.string() })
export type Challenge = z.output<typeof challenge>

/** `expiresIn` in seconds. SESSION-1 */
export const credentials = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  idToken: z.string(),
  expiresIn: z.number(),
})
export type Credentials = z.output<typeof credentials>

/** The `session` of a challenge, which its code belongs to. */
export const codeSession = z.string().check(z.minLength(1), z.maxLength(200))
/** A random id that the portal made on this device and keeps there; the server stores a hash of it, another one for each e-mail. */
const deviceId = z.optional(z.uuid())
const refreshBody = z.strictObject({ refreshToken: z.string().check(z.minLength(1), z.maxLength(500)), deviceId })

/** Exactly 8 digits 0–9. LOGIN-13 */
export const oneTimeCode = z
  .string({ error: 'CodeFormatInvalid' })
  .check(z.regex(new RegExp(`^[0-9]{${ONE_TIME_CODE_LENGTH}}$`), { error: 'CodeFormatInvalid' }))

/** A place where somebody is signed in, for them to recognise it by. Nothing of a network address. */
export const openSession = z.object({
  id: z.string(),
  /** names of a browser and a system, the same in every language: `Chrome, Android`; '' where it does not say */
  agent: z.string(),
  /** UTC instants, ISO 8601 */
  startedAt: z.string(),
  lastUsedAt: z.string(),
  /** the one that asks */
  isCurrent: z.boolean(),
})
export type OpenSession = z.output<typeof openSession>

const userId = z.string().check(z.minLength(1), z.maxLength(100))

export const auth = {
  /**
   * Starts a sign-in and sends the code. A start with the same data within 60 s and the same `deviceId` answers the live
   * challenge, no second mail. Without a `deviceId` every start is another sign-in.
   */
  initiate: endpoint({
    method: 'POST',
    path: 'user/auth/initiate',
    access: 'anyone',
    body: z.strictObject({
      email: email('EmailInvalid'),
      userTypeCode,
      firstName: z.optional(requiredText('FirstNameRequired')),
      lastName: z.optional(requiredText('LastNameRequired')),
      city: z.optional(requiredText('CityRequired')),
      country: z.optional(requiredText('CountryRequired')),
      /** every `deviceSecret` that this device was given, whoever it was for */
      devices: z.optional(z.array(z.string().check(z.maxLength(200))).check(z.maxLength(DEVICES_MAXIMUM))),
      deviceId,
    }),
    reply: challenge,
    errors: ['INVALID_EMAIL', 'INVALID_USER_TYPE', 'INVALID_NAME', 'MAIL_UNAVAILABLE'],
    summary: 'Start a sign-in: a one-time code goes out by e-mail',
  }),
  /** Sends the code of that sign-in again; within 60 s of the last: 429 with Retry-After. */
  sendOtp: endpoint({
    method: 'POST',
    path: 'user/auth/send-otp',
    access: 'anyone',
    body: z.strictObject({ session: codeSession, email: email('EmailInvalid') }),
    reply: challenge,
    errors: ['INVALID_EMAIL', 'CODE_EXPIRED', 'RESEND_TOO_SOON', 'MAIL_UNAVAILABLE'],
    summary: 'Send the code of a sign-in again',
  }),
  /** The account is made here, never before (LOGIN-21). */
  verifyOtp: endpoint({
    method: 'POST',
    path: 'user/auth/verify-otp',
    access: 'anyone',
    body: z.strictObject({ session: codeSession, email: email('EmailInvalid'), otp: oneTimeCode }),
    /** with the `deviceSecret`, tries and mails of the next sign-in here are counted apart from everybody else's (LOGIN-18) */
    reply: z.object({ ...credentials.shape, deviceSecret: z.string() }),
    errors: [
      'INVALID_EMAIL',
      'INVALID_CODE_FORMAT',
      'INVALID_CODE',
      'CODE_EXPIRED',
      'CODE_EXHAUSTED',
      'USER_TYPE_MISMATCH',
      'ACCOUNT_CLOSED',
    ],
    changes: ['User'],
    summary: 'Verify a one-time code and receive credentials',
  }),
  refresh: endpoint({
    method: 'POST',
    path: 'user/auth/refresh',
    access: 'anyone',
    body: refreshBody,
    reply: credentials,
    errors: ['SESSION_REVOKED'],
    summary: 'Exchange a refresh token',
  }),
  /** The same handler under the path of the automatic refresh. SESSION-12 */
  automaticRefresh: endpoint({
    method: 'POST',
    path: 'auth/refresh',
    access: 'anyone',
    body: refreshBody,
    reply: credentials,
    errors: ['SESSION_REVOKED'],
    summary: 'Exchange a refresh token (automatic refresh)',
  }),
  /** Idempotent: without or with dead credentials it answers the same. */
  logout: endpoint({
    method: 'POST',
    path: 'user/auth/logout',
    access: 'anyone',
    reply: z.undefined(),
    status: 204,
    errors: [],
    summary: 'End the session of the bearer',
  }),
  /** Only the own ones, the newest use first. */
  sessions: endpoint({
    method: 'GET',
    path: 'user/{id}/sessions',
    access: ['player', 'coach'],
    params: z.strictObject({ id: userId }),
    reply: z.object({ data: z.array(openSession) }),
    errors: [],
    tag: 'Session',
    summary: 'Where the own account is signed in',
  }),
  endSession: endpoint({
    method: 'POST',
    path: 'user/{id}/sessions/{sessionId}/end',
    access: ['player', 'coach'],
    params: z.strictObject({ id: userId, sessionId: z.string().check(z.minLength(1), z.maxLength(100)) }),
    reply: z.undefined(),
    status: 204,
    errors: [],
    changes: ['Session'],
    summary: 'Sign out on one other device',
  }),
  endOtherSessions: endpoint({
    method: 'POST',
    path: 'user/{id}/sessions/end-others',
    access: ['player', 'coach'],
    params: z.strictObject({ id: userId }),
    reply: z.undefined(),
    status: 204,
    errors: [],
    changes: ['Session'],
    summary: 'Sign out everywhere else',
  }),
}
