const common = {
  INVALID_INPUT: 400,
  INVALID_JSON: 400,
  UNKNOWN_FIELD: 400,
  INVALID_TOKEN: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UPDATE_REQUIRED: 426,
  TOO_MANY_REQUESTS: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  OVERLOADED: 503,
} as const

/**
 * All codes the API can refuse with, and their HTTP status. Their texts are in `locales/{en,fr}/errors.json`, and docs/errors.md says
 * when each is given. `tests/house/errors.test.ts` checks that the three lists agree.
 */
export const errors = {
  // any call
  ...common,
  // sign-in
  INVALID_EMAIL: 400,
  INVALID_USER_TYPE: 400,
  INVALID_CODE_FORMAT: 400,
  INVALID_CODE: 401,
  CODE_EXPIRED: 401,
  CODE_EXHAUSTED: 401,
  SESSION_REVOKED: 401,
  USER_TYPE_MISMATCH: 409,
  ACCOUNT_CLOSED: 403,
  ADDRESS_BLOCKED: 403,
  RESEND_TOO_SOON: 429,
  MAIL_UNAVAILABLE: 503,
  // profiles, accounts, and the operator's calls
  INVALID_NAME: 400,
  INVALID_BIRTH_DATE: 400,
  INVALID_COUNTRY: 400,
  INVALID_CITY: 400,
  PROFILE_CHANGED: 409,
  USER_NOT_FOUND: 404,
  USER_EXISTS: 409,
  COACH_ALLOCATION_NOT_ALLOWED: 409,
  ASSESSMENT_EXISTS: 409,
  DATABASE_ELSEWHERE: 409,
  DISK_FULL: 507,
  // answers
  INVALID_ANSWER: 400,
  DUPLICATE_RATING: 400,
  UNKNOWN_QUESTION: 400,
  ALREADY_COMPLETED: 409,
  INSTANCE_RECLAIMED: 409,
  NOT_COMPLETE: 409,
  NO_REPORT_YET: 409,
  OPERATION_MISMATCH: 409,
  CONTENT_VERSION_MISMATCH: 409,
  NOT_AN_ANSWERS_FILE: 400,
  ANSWERS_FILE_DAMAGED: 400,
  ANSWERS_FILE_ELSEWHERE: 409,
  ANSWERS_FILE_UNKNOWN: 404,
  // tokens and what is done with them
  NO_TOKENS_AVAILABLE: 409,
  ALREADY_ALLOCATED: 409,
  ALREADY_RECLAIMED: 409,
  PLAYER_HAS_BEGUN: 409,
  ALLOCATION_LIMIT: 429,
  ALREADY_RESENT: 409,
  RESEND_LIMIT: 429,
  ADDRESS_LIMIT: 429,
  INVITATION_UNWANTED: 409,
  MAIL_BOUNCED: 409,
  // pictures
  UPLOAD_NOT_FOUND: 404,
  IMAGE_TOO_LARGE: 413,
  UNSUPPORTED_IMAGE: 415,
  IMAGE_UNREADABLE: 422,
  // payment
  INVALID_PRICE: 400,
  INVALID_QUANTITY: 400,
  PAYMENT_NOT_COMPLETE: 409,
  INVALID_SIGNATURE: 400,
  PAYMENTS_UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof errors

/** Codes that every call may refuse with. Endpoints do not list these. */
export const commonErrors = Object.keys(common) as (keyof typeof common)[] // exactly its keys

/** The body of every refusal. `message` is in the caller's language; `fields` maps each invalid field's path to what is wrong with it. */
export interface Refusal {
  code: ErrorCode
  message: string
  fields?: Record<string, string>
  requestId: string
}

/** Field rules that have an error code of their own, by their key in `locales/*\/fields.json` (INPUT-1 to INPUT-47). */
export const codeOfField: Partial<Record<string, ErrorCode>> = {
  EmailInvalid: 'INVALID_EMAIL',
  UserTypeInvalid: 'INVALID_USER_TYPE',
  CodeFormatInvalid: 'INVALID_CODE_FORMAT',
  NameInvalid: 'INVALID_NAME',
  BirthDateInvalid: 'INVALID_BIRTH_DATE',
  CountryInvalid: 'INVALID_COUNTRY',
  CityInvalid: 'INVALID_CITY',
  AnswerInvalid: 'INVALID_ANSWER',
  TooManyAnswers: 'TOO_LARGE',
}
