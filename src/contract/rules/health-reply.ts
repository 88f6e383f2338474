/** What `GET health` replies while the API is there with its database. Without zod, as it is read before the first paint. OFFLINE-1 */
export const HEALTH_REPLY = { status: 'ok', service: 'touchline' } as const

export function isHealthReply(body: unknown): boolean {
  return (
    typeof body === 'object' &&
    body !== null &&
    Object.entries(HEALTH_REPLY).every(([name, value]) => (body as Record<string, unknown>)[name] === value)
  )
}
