import * as z from 'zod/mini'
import { everyEndpoint } from '#contract/api.ts'
import { APP_VERSION } from '#contract/constants.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { commonErrors, errors, type ErrorCode } from '#contract/errors.ts'

/** OpenAPI 3.1, generated from the contract that the router reads. */

type Json = Record<string, unknown>

export function openApiDocument(server: string): Json {
  const paths: Record<string, Json> = {}
  for (const [name, endpoint] of everyEndpoint()) {
    const path = `/${endpoint.path.replace(/^\//, '')}`
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(name, endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Touchline', version: String(APP_VERSION), description: 'The API of the sports assessment portal.' },
    servers: [{ url: `${server}/api` }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'An access token, or the operator key.' } },
      schemas: { Refusal: refusalSchema },
    },
  }
}

const refusalSchema = {
  type: 'object',
  required: ['code', 'message', 'requestId'],
  properties: {
    code: { enum: Object.keys(errors) },
    message: { type: 'string', description: 'in the language of Accept-Language' },
    fields: { type: 'object', additionalProperties: { type: 'string' } },
    requestId: { type: 'string' },
  },
}

function operationOf(name: string, endpoint: Endpoint): Json {
  const [tag] = name.split('.')
  const { access } = endpoint
  return {
    operationId: name,
    tags: [tag],
    summary: endpoint.summary,
    ...(access === 'anyone' ? {} : { description: `For: ${access.join(', ')}.`, security: [{ bearer: [] }] }),
    parameters: [...parametersOf(endpoint.params, 'path'), ...parametersOf(endpoint.query, 'query')],
    ...(endpoint.body
      ? { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } } } }
      : {}),
    responses: { [String(endpoint.status ?? 200)]: replyOf(endpoint), ...refusalsOf(endpoint) },
  }
}

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' })
  return json
}

function parametersOf(schema: z.ZodMiniType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as { properties?: Record<string, Json>; required?: string[] }
  return Object.entries(properties).map(([name, one]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: one,
  }))
}

function replyOf(endpoint: Endpoint): Json {
  if (endpoint.status === 204) return { description: 'Done.' }
  if (endpoint.file) return { description: 'A file.', content: { [endpoint.file.type]: { schema: { type: 'string', format: 'binary' } } } }
  return { description: 'Done.', content: { 'application/json': { schema: schemaOf(endpoint.reply, 'output') } } }
}

function refusalsOf(endpoint: Endpoint): Record<string, Json> {
  const byStatus = new Map<number, ErrorCode[]>()
  const ofOperator: ErrorCode[] = endpoint.access !== 'anyone' && endpoint.access.includes('operator') ? ['DISK_FULL'] : []
  for (const code of new Set([...endpoint.errors, ...ofOperator, ...commonErrors]))
    byStatus.set(errors[code], [...(byStatus.get(errors[code]) ?? []), code])
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } }
  return Object.fromEntries([...byStatus].map(([status, codes]) => [String(status), { description: codes.join(', '), content }]))
}
