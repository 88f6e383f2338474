import type { Caller as CallerKind, BodyOf, Endpoint, ParamsOf, QueryOf } from '#contract/endpoint.ts'
import type { commonErrors } from '#contract/errors.ts'
import type { Language } from '#contract/languages.ts'
import type * as z from 'zod/mini'
import type { Database } from '../db/database.ts'
import type { Deps } from '../deps.ts'

interface Person<Kind extends 'player' | 'coach'> {
  kind: Kind
  userId: string
  sessionId: string
  /** `users.logPosition` */
  logPosition: string | null
}
interface NoPerson<Kind extends 'guest' | 'operator'> {
  kind: Kind
  userId: null
  sessionId: null
}

/** Who makes the call, as proven by its credentials. The role comes from the account, never from the call. */
export type Caller = NoPerson<'guest'> | Person<'player'> | Person<'coach'> | NoPerson<'operator'>

type CallerOf<E extends Endpoint> = E['access'] extends readonly (infer Kind extends CallerKind)[]
  ? Extract<Caller, { kind: Kind }>
  : Caller

/** The codes an endpoint may refuse with: its own, and those common to all calls. */
type ErrorOf<E extends Endpoint> = E['errors'][number] | (typeof commonErrors)[number]

export interface RefusalDetail {
  /** path of the field → key of `locales/*\/fields.json` */
  fields?: Record<string, string>
  /** fills the placeholders of the words in `fields`: `{{age}}` */
  numbers?: Record<string, number>
  /** seconds */
  retryAfter?: number
}

/** Ends the call with a refusal. Written `return refuse('…')` or `throw refuse('…')`, so that the compiler narrows. */
export type Refuse<Code extends string> = (code: Code, detail?: RefusalDetail) => never

interface HandlerInputParts<Params, Query, Body, Asking, Code extends string> {
  params: Params
  query: Query
  /** parsed by the endpoint's schema; the raw bytes if it says `rawBody` */
  body: Body
  caller: Asking
  /** of the reply, from Accept-Language */
  language: Language
  /** network address of the caller, IPv6 by its /56 */
  networkAddress: string
  header: (name: string) => string | undefined
  /** for store.ts files, for reads that may be some seconds late: `deps.db`, or for a coach a read replica. OPERATE-30 */
  readDb: Database
  refuse: Refuse<Code>
  deps: Deps
}

/** What a handler gets: the parsed request, its caller, and the server's parts. */
export type HandlerInput<E extends Endpoint> = HandlerInputParts<
  ParamsOf<E>,
  QueryOf<E>,
  E['rawBody'] extends true ? Buffer : BodyOf<E>,
  CallerOf<E>,
  ErrorOf<E>
>

/** What a call does: one file per endpoint, `<subject>/<endpoint>.ts`. The reply is stripped by the reply schema. */
export type Handler<E extends Endpoint> = (input: HandlerInput<E>) => Promise<z.input<E['reply']>>

/**
 * A handler for every call of the contract, so that `satisfies` does not compile if one is missing. It does not use `Handler`, so that
 * two calls of the same shape can share a handler (SESSION-12).
 */
export type Handlers<Api extends Record<string, Record<string, Endpoint>>> = {
  readonly [Subject in keyof Api]: {
    readonly [Name in keyof Api[Subject]]: (input: HandlerInput<Api[Subject][Name]>) => Promise<z.input<Api[Subject][Name]['reply']>>
  }
}
