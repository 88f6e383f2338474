import { error, ok, warning, type Finding } from './finding.ts'
import { TIMEOUT_MS } from './reply-timeout.ts'

/** The page with its policy, and one of its scripts. */
interface Files {
  status: number
  page: string
  policy: string | null
  script: { path: string; text: string } | undefined
}

const fetchAt = (url: string, path: string) => fetch(new URL(path, url), { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined)

/** What of them arrives at `url`; undefined if nothing answers there. */
async function filesAt(url: string): Promise<Files | undefined> {
  const reply = await fetchAt(url, '/index.html')
  if (!reply) return undefined
  const page = await reply.text().catch(() => '')
  const [path] = /\bassets\/[\w.-]+\.js\b/.exec(page) ?? []
  const script = path === undefined ? undefined : await fetchAt(url, `/${path}`)
  return {
    status: reply.status,
    page,
    policy: reply.headers.get('content-security-policy'),
    script: path !== undefined && script?.ok ? { path, text: await script.text() } : undefined,
  }
}

// some proxies add one after the page, which is harmless
const withoutComment = (page: string) => page.replace(/(<\/html>)\s*(?:<!--[^]*?-->\s*)*$/, '$1')

/**
 * Whether people get the portal's files as the server on this machine sends them: a device stores no others (sw/README.md), and the page's
 * own script runs by the server's policy.
 * @param url where people find the portal
 * @param own the server on this machine; if none answers there, nothing is found
 */
export async function checkFiles(url: string, own: string): Promise<Finding[]> {
  const sent = await filesAt(own)
  const arrived = sent && (await filesAt(url))
  if (!sent?.script || !arrived) return []
  if (arrived.status !== 200 || !/\sid=["']?root\b/.test(arrived.page)) {
    const advice = 'let the proxy pass every path on to the server, and the headers of its replies, as content-encoding, on to people.'
    return [error('PUBLIC_URL', `What arrives at ${url} with status ${arrived.status} is not the portal's page: ${advice}`)]
  }
  // of another build: this machine is being upgraded
  if (!arrived.page.includes(sent.script.path)) return []
  const found: Finding[] = []
  if (arrived.policy !== sent.policy) {
    const advice = 'let the proxy pass on the server’s, or the page may stay blank.'
    found.push(warning('PUBLIC_URL', `The page arrives at ${url} with another content-security-policy: ${advice}`))
  }
  if (withoutComment(arrived.page) !== withoutComment(sent.page) || arrived.script?.text !== sent.script.text) {
    const advice = 'turn off whatever minifies or adds to them on the way, or no device can store the app.'
    found.push(warning('PUBLIC_URL', `Files arrive at ${url} changed: ${advice}`))
  }
  return found.length > 0 ? found : [ok('PUBLIC_URL', `The portal's files arrive at ${url} as they are.`)]
}
