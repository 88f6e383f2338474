import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'

/** Who asks. `operator` comes with the key from the settings (ROLES-4); the others by their credentials. */
export type Caller = 'player' | 'coach' | 'operator'

/** What a read is cached under (API-2) and a write makes stale. */
export type Tag = 'User' | 'Session' | 'Token' | 'Sport' | 'Reference' | 'City' | 'Assessment' | 'AssessmentInstance' | 'CoachAssessments'

/** One call of the API as data. Paths are spelled as in the API area of docs/requirements.md, relative to `/api/`; `{name}` is a parameter. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly path: string
  /** 'anyone' needs no credentials; otherwise the callers who may. */
  readonly access: 'anyone' | readonly Caller[]
  readonly params?: z.ZodMiniType
  readonly query?: z.ZodMiniType
  readonly body?: z.ZodMiniType
  readonly reply: z.ZodMiniType
  /** Status of success, 200 unless told. */
  readonly status?: 200 | 201 | 204
  /** Refusals of its own, beside `commonErrors`. A handler cannot refuse with any other. */
  readonly errors: readonly ErrorCode[]
  readonly tag?: Tag
  readonly changes?: readonly Tag[]
  /** The body reaches the handler as the bytes that came (signed webhooks). */
  readonly rawBody?: true
  /** Answered whatever version of the portal asks (INSTALL-4). */
  readonly anyVersion?: true
  /** One line for the OpenAPI document. */
  readonly summary: string
}

/** Keeps the literal types of one call. */
export function endpoint<const E extends Endpoint>(one: E): E {
  return one
}

type Parsed<S> = S extends z.ZodMiniType ? z.output<S> : undefined
type Given<S> = S extends z.ZodMiniType ? z.input<S> : undefined

export type ParamsOf<E extends Endpoint> = Parsed<E['params']>
export type QueryOf<E extends Endpoint> = Parsed<E['query']>
export type BodyOf<E extends Endpoint> = Parsed<E['body']>
export type ReplyOf<E extends Endpoint> = Parsed<E['reply']>

type Part<Name extends string, S> = S extends z.ZodMiniType
  ? Record<string, never> extends Given<S>
    ? { [K in Name]?: Given<S> }
    : { [K in Name]: Given<S> }
  : unknown

/** What a caller hands over: `{params, query, body}`, each only where the endpoint has it. */
export type RequestOf<E extends Endpoint> = Part<'params', E['params']> & Part<'query', E['query']> & Part<'body', E['body']>

/** `user/{id}` + `{id: 'a'}` → `user/a`. */
export function fillPath(path: string, params: Record<string, string> = {}): string {
  return path.replace(/^\//, '').replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}
