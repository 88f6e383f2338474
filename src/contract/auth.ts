import * as z from 'zod/mini'
import { DEVICES_MAXIMUM, ONE_TIME_CODE_LENGTH } from './constants.ts'
import { endpoint } from './endpoint.ts'
import { email, requiredText } from './rules/profile.ts'

/** Sign-in and session. §2 /auth, §4 Session and Sign-in, §7, rulings 1–9 */

export const USER_TYPE_CODES = ['player', 'coach'] as const
export const userTypeCode = z.enum(USER_TYPE_CODES, { error: 'UserTypeInvalid' })
export type UserTypeCode = z.output<typeof userTypeCode>

/** The only challenge there is; the portal treats any other as unexpected. §4 */
export const EMAIL_OTP = 'EMAIL_OTP'

export const challenge = z.object({ session: z.string(), challengeName: z.string() })
export type Challenge = z.output<typeof challenge>

/** `expiresIn` in seconds. §3 Auth session */
export const credentials = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  idToken: z.string(),
  expiresIn: z.number(),
})
export type Credentials = z.output<typeof credentials>

const session = z.string().check(z.minLength(1), z.maxLength(200))
const refreshBody = z.strictObject({ refreshToken: z.string().check(z.minLength(1), z.maxLength(500)) })

/** Exactly 8 digits 0–9. §5 */
export const oneTimeCode = z
  .string({ error: 'CodeFormatInvalid' })
  .check(z.regex(new RegExp(`^[0-9]{${ONE_TIME_CODE_LENGTH}}$`), { error: 'CodeFormatInvalid' }))

export const auth = {
  /** Starts a sign-in and sends the code. A start within 60 s answers the live challenge, no second mail. */
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
    body: z.strictObject({ session, email: email('EmailInvalid') }),
    reply: challenge,
    errors: ['INVALID_EMAIL', 'CODE_EXPIRED', 'RESEND_TOO_SOON', 'MAIL_UNAVAILABLE'],
    summary: 'Send the code of a sign-in again',
  }),
  /** The account is made here, never before (ruling 7). */
  verifyOtp: endpoint({
    method: 'POST',
    path: 'user/auth/verify-otp',
    access: 'anyone',
    body: z.strictObject({ session, email: email('EmailInvalid'), otp: oneTimeCode }),
    /** with the `deviceSecret`, tries and mails of the next sign-in here are counted apart from everybody else's (promises C4) */
    reply: z.object({ ...credentials.shape, deviceSecret: z.string() }),
    errors: ['INVALID_EMAIL', 'INVALID_CODE_FORMAT', 'INVALID_CODE', 'CODE_EXPIRED', 'CODE_EXHAUSTED', 'USER_TYPE_MISMATCH'],
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
  /** The same handler under the path of the automatic refresh. Ruling 4 */
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
}
