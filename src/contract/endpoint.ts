import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'

/** Who makes a call. The operator is identified by the key from the settings (ROLES-4), the others by their credentials. */
export type Caller = 'player' | 'coach' | 'operator'

/** The portal caches a read under its tag (API-2); a write invalidates the tags in its `changes`. */
export type Tag =
  | 'User'
  | 'Session'
  | 'Token'
  | 'Sport'
  | 'Reference'
  | 'City'
  | 'Assessment'
  | 'AssessmentInstance'
  | 'CoachAssessments'
  | 'Job'

/** One call of the API as data. Paths are relative to `/api/`, as in the API area of docs/requirements.md; `{name}` is a parameter. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly path: string
  /** 'anyone' needs no credentials; a list names the only callers allowed. */
  readonly access: 'anyone' | readonly Caller[]
  readonly params?: z.ZodMiniType
  readonly query?: z.ZodMiniType
  readonly body?: z.ZodMiniType
  readonly reply: z.ZodMiniType
  /** The reply is a file of this type and not JSON: `reply` is its bytes, and browsers save it under this name. */
  readonly file?: { readonly type: 'application/pdf'; readonly name: string }
  /** HTTP status of a successful reply, by default 200. */
  readonly status?: 200 | 201 | 204
  /** Codes that its handler may refuse with, in addition to `commonErrors`. The compiler rejects any other. */
  readonly errors: readonly ErrorCode[]
  /** of a read */
  readonly tag?: Tag
  /** of a write */
  readonly changes?: readonly Tag[]
  /**
   * It works once, so a repeat of the same request, which a browser makes of itself when a connection breaks, gets the first reply: for ten
   * minutes, if both have the same `idempotency-key`. docs/decisions/0069
   */
  readonly isRepliedOnce?: true
  /** The handler gets the body as raw bytes, as signed webhooks require. */
  readonly rawBody?: true
  /** Available to portals of any version, even one that is too old (INSTALL-4). */
  readonly anyVersion?: true
  /** One line for the OpenAPI document. */
  readonly summary: string
}

/** Returns its argument; declares one call without losing its literal types. */
export function endpoint<const E extends Endpoint>(one: E): E {
  return one
}

type SchemaOutput<S> = S extends z.ZodMiniType ? z.output<S> : undefined
type SchemaInput<S> = S extends z.ZodMiniType ? z.input<S> : undefined

export type ParamsOf<E extends Endpoint> = SchemaOutput<E['params']>
export type QueryOf<E extends Endpoint> = SchemaOutput<E['query']>
export type BodyOf<E extends Endpoint> = SchemaOutput<E['body']>
export type ReplyOf<E extends Endpoint> = SchemaOutput<E['reply']>

type Part<Name extends string, S> = S extends z.ZodMiniType
  ? Record<string, never> extends SchemaInput<S>
    ? { [K in Name]?: SchemaInput<S> }
    : { [K in Name]: SchemaInput<S> }
  : unknown

/** What a caller passes: `{params, query, body}`, each only if the endpoint has it. */
export type RequestOf<E extends Endpoint> = Part<'params', E['params']> & Part<'query', E['query']> & Part<'body', E['body']>

/** `user/{id}` + `{id: 'a'}` → `user/a`. */
export function fillPath(path: string, params: Record<string, string> = {}): string {
  return path.replace(/^\//, '').replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}
