import type { FastifyServerOptions } from 'fastify'
import type { Env } from '../env.ts'

/** Logs name the request, never the person: no tokens, codes, e-mails, queries or addresses (promises F4). */
export function logOptions(env: Env): NonNullable<FastifyServerOptions['logger']> {
  if (env.logLevel === 'silent') return false
  return {
    level: env.logLevel,
    redact: {
      paths: [
        '*.authorization',
        '*.email',
        '*.to',
        '*.otp',
        '*.code_hmac',
        '*.accessToken',
        '*.refreshToken',
        '*.idToken',
        '*.refreshKey',
        '*.params',
      ],
      censor: '[redacted]',
    },
    serializers: {
      req: (request) => ({ method: request.method, path: request.url.replace(/\?.*$/, '') }),
      res: (reply) => ({ statusCode: reply.statusCode }),
      err: serializeError,
    },
  }
}

// a database error carries the values of its query, which may be anybody's
function serializeError(error: Error) {
  const cause = error.cause instanceof Error ? error.cause.message : undefined
  const message = error.message.replace(/\nparams:[\s\S]*$/, '')
  return {
    type: error.name,
    message,
    stack: (error.stack ?? '').replace(/\nparams:.*(?=\n {4}at )/s, ''),
    ...(cause === undefined ? {} : { cause }),
  }
}

/** Why a call could not be served, in a few words; at an outage there are thousands, and a stack tells nothing. */
export function reasonOf(error: unknown): string {
  let why: unknown = error
  while (why instanceof Error && why.cause !== undefined) why = why.cause
  return why instanceof Error ? why.message.replace(/\nparams:[\s\S]*$/, '') : String(why)
}
