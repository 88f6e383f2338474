import { error, ok, type Finding } from './finding.ts'
import { TIMEOUT_MS } from './reply-timeout.ts'

/** Whether a proxy passes calls on as they are: one that is refused tells what arrived of it, and changes nothing. */
export async function checkCalls(url: string): Promise<Finding[]> {
  const reply = await fetch(`${url.replace(/\/+$/, '')}/api/user/doctor`, {
    method: 'PATCH',
    headers: { authorization: 'Bearer doctor', 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!isOurs(await reply.json().catch(() => undefined)))
    return [
      error(
        'PUBLIC_URL',
        `Calls with PATCH do not arrive by ${url} (status ${reply.status}): nobody could save a profile. Let the proxy pass on GET, POST, PUT and PATCH.`,
      ),
    ]
  // a server of an earlier build does not tell
  const seen = reply.headers.get('www-authenticate')
  if (seen === 'Bearer')
    return [
      error(
        'PUBLIC_URL',
        `Calls arrive by ${url} without their Authorization header: nobody could stay signed in. Let the proxy pass it on.`,
      ),
    ]
  return [ok('PUBLIC_URL', `Calls arrive by ${url} as they are.`)]
}

/** Whether it is a refusal of a server of ours. */
function isOurs(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'code' in body && 'requestId' in body
}
