import { fillPath, type Endpoint, type ReplyOf, type RequestOf } from '#contract/endpoint.ts'
import { readSettings } from '#server/env.ts'
import { readStoredKeys } from '#server/keys.ts'
import { localAddress } from '#server/local-address.ts'
import { EXIT, ExitError, textOf } from './exit.ts'
import type { Tool } from './tool.ts'

/** The operator's calls to the running server, by the contract. The server writes each into its audit log. */
export interface Server {
  address: string
  key: string
}

const TIMEOUT_MS = 120_000

/** @param address by default the server of these settings, on this machine */
export async function serverOf({ environment }: Tool, address?: string): Promise<Server> {
  const { set } = readSettings(environment)
  const key = set.OPERATOR_KEY ?? (await readStoredKeys(set.DATA_DIR))?.operatorKey
  if (key === undefined)
    throw new ExitError('OPERATOR_KEY is missing: set it to that of the server, in the environment or with --env-file.', EXIT.usage)
  if (address !== undefined && !(/^https?:\/\//.test(address) && URL.canParse(address)))
    throw new ExitError('--server must be an address such as https://portal.example.com', EXIT.usage)
  return { address: (address ?? localAddress({ host: set.HOST, port: set.PORT })).replace(/\/+$/, ''), key }
}

/** What a call takes, by the names of the contract; the types of each follow from its entry. */
interface AnyRequest {
  params?: Record<string, string>
  query?: Record<string, string | number | undefined>
  body?: unknown
}

/**
 * @param absent what to say if the server finds nothing
 * @throws ExitError if the server refuses the call or does not reply
 */
export async function call<const E extends Endpoint>(
  { address, key }: Server,
  endpoint: E,
  request: RequestOf<E>,
  absent?: string,
): Promise<ReplyOf<E>> {
  const { params, query, body } = request as AnyRequest // each part only if the endpoint has it
  const asked = Object.entries(query ?? {}).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const search = new URLSearchParams(asked).toString()
  const url = `${address}/api/${fillPath(endpoint.path, params)}${search === '' ? '' : `?${search}`}`
  const response = await fetch(url, {
    method: endpoint.method,
    headers: {
      authorization: `Bearer ${key}`,
      'accept-language': 'en',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new ExitError(
      `The server at ${address} does not reply: ${textOf(error)}. Is it running? Name another with --server.`,
      EXIT.unreachable,
    )
  })
  const text = await response.text()
  if (!response.ok) throw refusal(address, response.status, text, absent)
  if (endpoint.status === 204) return undefined as ReplyOf<E> // has no body
  const parsed = endpoint.reply.safeParse(parseJson(text))
  if (!parsed.success) throw new ExitError(`What answers at ${address} is not this build of Touchline.`)
  return parsed.data as ReplyOf<E> // by the schema that the type is derived from
}

function refusal(address: string, status: number, text: string, absent?: string): ExitError {
  const given = parseJson(text)
  const { code, message } = typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {} // any JSON
  if (code === 'INVALID_TOKEN') return new ExitError(`The server at ${address} does not accept this OPERATOR_KEY.`, EXIT.usage)
  if (typeof message !== 'string') return new ExitError(`What answers at ${address} is not Touchline: status ${status}.`)
  if (status === 404 && absent !== undefined) return new ExitError(absent)
  // 400: what was typed can never be right
  const exit = status === 503 ? EXIT.unreachable : status === 400 ? EXIT.usage : EXIT.failed
  return new ExitError(`${message} (${String(code)})`, exit)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
