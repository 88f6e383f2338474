/** Whether the cache gives it to every request for its URL, and a navigation takes it. No request here names an encoding. */
export function isSameForAll({ headers, redirected }: Response): boolean {
  const varying = (headers.get('vary') ?? '').split(',')
  return !redirected && varying.every((name) => /^(?:accept-encoding)?$/i.test(name.trim()))
}

/** What this worker stores is the same for all who ask. With `Vary: Origin` the cache would find it for the worker, but not for a page's script. */
export function sameForAll(response: Response): Response {
  if (isSameForAll(response)) return response
  const { status, statusText, body } = response
  const headers = new Headers(response.headers)
  headers.delete('vary')
  return new Response(body, { status, statusText, headers })
}
