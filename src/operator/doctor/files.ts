import { ok, warning, type Finding } from './finding.ts'

const TIMEOUT_MS = 8_000

/** The page with its policy, and one of its scripts. */
interface Files {
  page: string
  policy: string | null
  script: { path: string; text: string } | undefined
}

/** What of them arrives at `url`; undefined if nothing answers there, or no portal is built. */
async function filesAt(url: string): Promise<Files | undefined> {
  const get = (path: string) => fetch(new URL(path, url), { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined)
  const reply = await get('/index.html')
  if (reply?.status !== 200) return undefined
  const page = await reply.text()
  const [path] = /\bassets\/[\w.-]+\.js\b/.exec(page) ?? []
  const script = path === undefined ? undefined : await get(`/${path}`)
  return {
    page,
    policy: reply.headers.get('content-security-policy'),
    script: path !== undefined && script?.ok ? { path, text: await script.text() } : undefined,
  }
}

// what only tells by whom a page was sent
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
  // of another build: this machine is being upgraded
  if (!sent?.script || !arrived || !arrived.page.includes(sent.script.path)) return []
  const found: Finding[] = []
  const advise = (what: string, advice: string) => found.push(warning('PUBLIC_URL', `${what} at ${url} ${advice}`))
  if (arrived.policy !== sent.policy)
    advise('The page arrives', 'with another content-security-policy: let the proxy pass on the server’s, or the page stays blank.')
  const isChanged = withoutComment(arrived.page) !== withoutComment(sent.page) || arrived.script?.text !== sent.script.text
  if (isChanged)
    advise(
      'Files arrive changed',
      'on the way: turn off what minifies or extends them there, or no device can store the app for no signal.',
    )
  return found.length > 0 ? found : [ok('PUBLIC_URL', `The portal's files arrive at ${url} as they are.`)]
}
