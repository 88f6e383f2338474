import type { FastifyRequest, FastifyServerOptions } from 'fastify'
import { everyEndpoint } from '#contract/api.ts'
import { isId } from '#contract/rules/ids.ts'
import { everyScreen } from '#contract/screens.ts'
import type { Env } from '../env.ts'
import { MailError } from '../outside/mail.ts'

/** Receives the lines instead of the standard output. */
export interface LogTo {
  write: (line: string) => void
}

/** Logs name the request, never the person: no tokens, codes, e-mails, queries or addresses (PRIVACY-7). */
export function logOptions(env: Env, logTo?: LogTo): NonNullable<FastifyServerOptions['logger']> {
  if (env.logLevel === 'silent') return false
  return {
    level: env.logLevel,
    ...(logTo ? { stream: logTo } : {}),
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
      req: (request) => ({ method: request.method, path: loggedPath(request) }),
      res: (reply) => ({ statusCode: reply.statusCode }),
      err: serializeError,
    },
  }
}

/** Every word of an address of ours. */
const WORDS: ReadonlySet<string> = new Set(
  ['api', 'media', 'dev', 'assets', ...everyEndpoint().map(([, { path }]) => path), ...everyScreen.map(({ path }) => path)].flatMap(
    (path) => path.split('/').filter((word) => /^[\w.-]*$/.test(word)),
  ),
)

/** The path of our own words and ids; anything else there was written by the caller, and may be a name, a code or a token. */
function loggedPath({ url, routeOptions }: Pick<FastifyRequest, 'url' | 'routeOptions'>): string {
  const pattern = routeOptions?.url
  // a file of the build
  if (pattern !== undefined && !/[:*]/.test(pattern)) return pattern
  const words = pattern?.split('/')
  const parts = url.replace(/[?#].*$/, '').split('/')
  return parts.map((part, at) => (isId(part) || part === words?.[at] || WORDS.has(part) ? part : (words?.[at] ?? '…'))).join('/')
}

/** What the log says of an error: of a failed mail only the codes (outside/mail.ts); of any other its text, without what may be personal. */
function serializeError(error: Error) {
  const cause = error.cause instanceof Error ? withoutPeople(error.cause.message) : undefined
  return {
    type: error.name,
    message: withoutPeople(error.message.replace(PARAMS, '')),
    stack: withoutPeople((error.stack ?? '').replace(PARAMS_ABOVE_STACK, '')),
    ...(cause === undefined ? {} : { cause }),
    ...(error instanceof MailError ? { code: error.code, responseCode: error.responseCode, command: error.command } : {}),
  }
}

/** Why a call could not be served, in a few words: in an outage there are thousands, and a stack says nothing. */
export function reasonOf(error: unknown): string {
  let why: unknown = error
  while (why instanceof Error && why.cause !== undefined) why = why.cause
  return why instanceof Error ? withoutPeople(why.message.replace(PARAMS, '')) : String(why)
}

// the error of a failed statement contains the values of its query
const PARAMS = /\nparams:[\s\S]*$/
const PARAMS_ABOVE_STACK = /\nparams:.*(?=\n {4}at )/s
// and the database's own text the invalid value: `invalid input syntax for type uuid: "…"`
const QUOTED_VALUE = /: "[^]*?"(?=\n|$)/g
// a path may be encoded more than once, and the part before the @ may be quoted
const ADDRESS = /[^\s/<>(),;:]+(?:@|%(?:25)*40)[^\s/"'<>(),;:]+/gi

function withoutPeople(text: string): string {
  return text.replaceAll(QUOTED_VALUE, ': [redacted]').replaceAll(ADDRESS, '[address]')
}
