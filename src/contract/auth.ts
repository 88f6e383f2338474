import * as z from 'zod/mini'
import { DEVICE_SECRETS_MAXIMUM, ONE_TIME_CODE_LENGTH } from './constants.ts'
import { endpoint } from './endpoint.ts'
import { email, requiredText } from './rules/fields.ts'
import { USER_TYPE_CODES } from './rules/user-types.ts'

/** Sign-in and session. LOGIN-13 to LOGIN-21, API-4 to API-9 */

export const userTypeCode = z.enum(USER_TYPE_CODES, { error: 'UserTypeInvalid' })

/** The only kind of challenge; the portal treats any other as an error. LOGIN-5 */
export const EMAIL_OTP = 'EMAIL_OTP'

export const challenge = z.object({ session: z.string(), challengeName: z.string() })

/** `expiresIn` in seconds. SESSION-1 */
const credentials = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  idToken: z.string(),
  expiresIn: z.number(),
})
export type Credentials = z.output<typeof credentials>

/** The `session` of a challenge: identifies the sign-in that a code was sent for. */
export const codeSession = z.string().check(z.minLength(1), z.maxLength(200))
/** A random id that the portal generates and stores on this device. The server stores a hash of it, different for each e-mail. */
const deviceId = z.optional(z.uuid())
const refreshBody = z.strictObject({ refreshToken: z.string().check(z.minLength(1), z.maxLength(500)), deviceId })

/** Exactly 8 digits 0–9. LOGIN-13 */
export const oneTimeCode = z
  .string({ error: 'CodeFormatInvalid' })
  .check(z.regex(new RegExp(`^[0-9]{${ONE_TIME_CODE_LENGTH}}$`), { error: 'CodeFormatInvalid' }))

/** `closed`: by its owner, and not erased yet. `missing`: the server has no such account, as after an older backup was restored. */
const accountState = z.enum(['kept', 'closed', 'erased', 'missing'])
export type AccountState = z.output<typeof accountState>

/** One of the devices on which somebody is signed in, described so that they can recognise it. No network address. */
const openSession = z.object({
  id: z.string(),
  /** names of the browser and the system, the same in every language: `Chrome, Android`; '' if unknown */
  agent: z.string(),
  /** UTC instants, ISO 8601 */
  startedAt: z.string(),
  lastUsedAt: z.string(),
  /** the session that makes this call */
  isCurrent: z.boolean(),
})
export type OpenSession = z.output<typeof openSession>

const userId = z.string().check(z.minLength(1), z.maxLength(100))

export const auth = {
  /**
   * Starts a sign-in and mails the code. The reply is the same whether or not the e-mail has an account (LOGIN-19). A repeat with the
   * same data and `deviceId` within 60 s returns the same challenge and sends no second mail; without a `deviceId` every call starts a
   * new sign-in. 429 with Retry-After over a limit, 503 MAIL_UNAVAILABLE if the mail server does not accept the mail.
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
      /** every `deviceSecret` that this device has received, for whichever account */
      devices: z.optional(z.array(z.string().check(z.maxLength(200))).check(z.maxLength(DEVICE_SECRETS_MAXIMUM))),
      deviceId,
    }),
    reply: challenge,
    errors: ['INVALID_EMAIL', 'INVALID_USER_TYPE', 'INVALID_NAME', 'MAIL_UNAVAILABLE'],
    summary: 'Start a sign-in and email its one-time code',
  }),
  /**
   * Mails a new code for a sign-in that was started before. 429 RESEND_TOO_SOON with Retry-After within 60 s of the last one,
   * 401 CODE_EXPIRED if the sign-in does not exist, has been used or has expired.
   */
  sendOtp: endpoint({
    method: 'POST',
    path: 'user/auth/send-otp',
    access: 'anyone',
    body: z.strictObject({ session: codeSession, email: email('EmailInvalid') }),
    reply: challenge,
    errors: ['INVALID_EMAIL', 'CODE_EXPIRED', 'RESEND_TOO_SOON', 'MAIL_UNAVAILABLE'],
    isRepliedOnce: true,
    summary: 'Send a new code for a sign-in; the previous one stops working',
  }),
  /**
   * Verifies a code, signs in, and creates the account if the e-mail has none; no earlier call creates one (LOGIN-21).
   * 401 INVALID_CODE, CODE_EXPIRED or CODE_EXHAUSTED; 409 USER_TYPE_MISMATCH if a player's e-mail asks to be a coach;
   * 403 ACCOUNT_CLOSED or ADDRESS_BLOCKED.
   */
  verifyOtp: endpoint({
    method: 'POST',
    path: 'user/auth/verify-otp',
    access: 'anyone',
    body: z.strictObject({ session: codeSession, email: email('EmailInvalid'), otp: oneTimeCode }),
    /** a later sign-in that sends `deviceSecret` has its attempts and mails counted separately from other devices' (LOGIN-18) */
    reply: z.object({ ...credentials.shape, deviceSecret: z.string() }),
    errors: [
      'INVALID_EMAIL',
      'INVALID_CODE_FORMAT',
      'INVALID_CODE',
      'CODE_EXPIRED',
      'CODE_EXHAUSTED',
      'USER_TYPE_MISMATCH',
      'ACCOUNT_CLOSED',
      'ADDRESS_BLOCKED',
    ],
    changes: ['User'],
    isRepliedOnce: true,
    summary: 'Verify a one-time code and receive credentials',
  }),
  /**
   * Exchanges a refresh token for new credentials. A repeat after a lost reply gets the same new refresh token; any other reuse of an
   * old token ends the session (SESSION-14). 401 SESSION_REVOKED if the session has ended, INVALID_TOKEN if the token is not one of ours.
   */
  refresh: endpoint({
    method: 'POST',
    path: 'user/auth/refresh',
    access: 'anyone',
    body: refreshBody,
    reply: credentials,
    errors: ['SESSION_REVOKED'],
    summary: 'Exchange a refresh token',
  }),
  /** The same as `refresh`, under the path that the automatic refresh uses. SESSION-12 */
  automaticRefresh: endpoint({
    method: 'POST',
    path: 'auth/refresh',
    access: 'anyone',
    body: refreshBody,
    reply: credentials,
    errors: ['SESSION_REVOKED'],
    summary: 'Exchange a refresh token (automatic refresh)',
  }),
  /** Ends the caller's session, also with an expired access token. Idempotent: the reply is 204 without credentials, too. */
  logout: endpoint({
    method: 'POST',
    path: 'user/auth/logout',
    access: 'anyone',
    anyVersion: true,
    reply: z.undefined(),
    status: 204,
    errors: [],
    summary: 'Sign out',
  }),
  /**
   * What became of an account that was signed in on this device, whose session is over (docs/decisions/0059). `proof` is that of the
   * account's id tokens. `kept` also if the proof is not ours, so that nothing is learned from a guessed one; only `erased` allows the
   * device to remove what is stored. 429 with Retry-After over a limit.
   */
  accountState: endpoint({
    method: 'POST',
    path: 'user/auth/account-state',
    access: 'anyone',
    body: z.strictObject({ proof: z.string().check(z.minLength(1), z.maxLength(200)) }),
    /** `userId`: whose proof it is, so that a reply to another question is not believed; left out if it is none of ours */
    reply: z.object({ state: accountState, userId: z.optional(z.string()) }),
    errors: [],
    summary: 'State of the account this device was signed in to',
  }),
  /** The caller's own open sessions, last used first. 404 for anybody else's `id`. */
  sessions: endpoint({
    method: 'GET',
    path: 'user/{id}/sessions',
    access: ['player', 'coach'],
    params: z.strictObject({ id: userId }),
    reply: z.object({ data: z.array(openSession) }),
    errors: [],
    tag: 'Session',
    summary: 'Open sessions of your account',
  }),
  /** Ends one of the caller's open sessions. 404 if it has ended already, or is not the caller's. */
  endSession: endpoint({
    method: 'POST',
    path: 'user/{id}/sessions/{sessionId}/end',
    access: ['player', 'coach'],
    params: z.strictObject({ id: userId, sessionId: z.string().check(z.minLength(1), z.maxLength(100)) }),
    reply: z.undefined(),
    status: 204,
    errors: [],
    changes: ['Session'],
    summary: 'Sign out of one session',
  }),
  /** Ends all of the caller's sessions but the one that makes this call. 404 for anybody else's `id`. */
  endOtherSessions: endpoint({
    method: 'POST',
    path: 'user/{id}/sessions/end-others',
    access: ['player', 'coach'],
    params: z.strictObject({ id: userId }),
    reply: z.undefined(),
    status: 204,
    errors: [],
    changes: ['Session'],
    summary: 'Sign out of all other sessions',
  }),
}
