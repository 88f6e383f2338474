import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyScreen } from '#contract/screens.ts'
import { precompress } from '#tools/precompress.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'
import { waitFor } from '#tests/support/wait-for.ts'

const STYLE = 'body { margin: 0 }'
const BOOT = "document.title = 'Touchline'"

let server: TestServer
let folder: string

beforeAll(async () => {
  folder = `${await mkdtemp(join(tmpdir(), 'touchline-dist-'))}/`
  await mkdir(join(folder, 'assets'))
  await mkdir(join(folder, 'media/cities'), { recursive: true })
  await writeFile(join(folder, 'index.html'), `<!doctype html><title>Touchline</title><script>${BOOT}</script><style>${STYLE}</style>`)
  await writeFile(join(folder, 'sw.js'), '// worker')
  await writeFile(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(folder, 'assets/main-abc123.js'), `// ${'code '.repeat(1000)}`)
  await writeFile(join(folder, 'media/cities/FR.json'), '{"cities":["Lyon"]}')
  await precompress(folder)
  server = await startServer({ files: folder })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${server.address}${path}`, { headers, redirect: 'manual' })

const deepLinks = everyScreen.map(({ path }) => `${path.replace(/:\w+/, '0b0b1b1e-0000-4000-8000-000000000000')}?from=a-mail`)

test.each(deepLinks)('%s is a screen, and gets the app shell', async (path) => {
  const response = await get(path)
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-cache'])
  expect(await response.text()).toContain('Touchline')
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
})

test('SECURITY-6: a page allows only the inline script and style of the build', async () => {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  for (const path of ['/', '/nowhere', '/sw.js']) {
    const policy = (await get(path)).headers.get('content-security-policy') ?? ''
    expect(policy).not.toMatch(/unsafe|\*/)
    expect(/script-src ([^;]*)/.exec(policy)?.[1]).toBe(`'self' ${hash(BOOT)}`)
    expect(/style-src ([^;]*)/.exec(policy)?.[1]).toBe(`'self' ${hash('')} ${hash(STYLE)}`)
  }
})

test('SECURITY-6: other files may load nothing, and have a short policy', async () => {
  for (const path of ['/icon.svg', '/api/health', '/api/nothing'])
    expect((await get(path)).headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'")
})

test('INPUT-68: an unknown URL gets the shell with status 404', async () => {
  const response = await get('/profiles')
  expect(response.status).toBe(404)
  expect(await response.text()).toContain('Touchline')
})

test.each([
  '/api/nothing',
  '/media/cities/XX.json',
  '/media/nothing',
  '/assets/main-gone.js',
  '/favicon.ico',
  '/index.php',
  '/../package.json',
  '/%2e%2e/package.json',
  '/.env',
])('%s is 404 in JSON, never the shell', async (path) => {
  const response = await get(path)
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ code: 'NOT_FOUND' })
})

test('a file that was built after the start is served, and only under its exact name', async () => {
  await writeFile(join(folder, 'assets/later-def456.js'), '// later')
  await waitFor(async () => expect((await get('/assets/later-def456.js')).status).toBe(200))
  expect((await get('/assets/Later-def456.js')).status).toBe(404)
})

test('hashed files are immutable, the worker is revalidated, and city lists are cached for an hour', async () => {
  expect((await get('/assets/main-abc123.js')).headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect((await get('/sw.js')).headers.get('cache-control')).toBe('no-cache')
  expect((await get('/media/cities/FR.json')).headers.get('cache-control')).toBe('public, max-age=3600')
})

test('the app’s files have only the headers that matter for them', async () => {
  for (const path of ['/assets/main-abc123.js', '/media/cities/FR.json']) {
    const headers = [...(await get(path, { 'accept-encoding': 'br' })).headers.keys()]
    const ofItself = [
      'content-type',
      'content-length',
      'content-encoding',
      'vary',
      'etag',
      'last-modified',
      'accept-ranges',
      'cache-control',
    ]
    const ofTransport = ['date', 'connection', 'keep-alive', 'transfer-encoding']
    const ofSecurity = ['x-content-type-options', 'cross-origin-resource-policy', 'strict-transport-security']
    const meant = new Set([...ofItself, ...ofTransport, ...ofSecurity])
    expect(headers.filter((name) => !meant.has(name))).toEqual([])
    expect(headers).toEqual(expect.arrayContaining(['x-content-type-options', 'cross-origin-resource-policy', 'cache-control']))
  }
  // these need a policy: they run scripts, or can be opened by themselves
  for (const path of ['/', '/sw.js', '/icon.svg']) expect((await get(path)).headers.has('content-security-policy')).toBe(true)
})

test('files are sent precompressed, by br or by gzip', async () => {
  for (const encoding of ['br', 'gzip']) {
    const response = await get('/assets/main-abc123.js', { 'accept-encoding': encoding })
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, encoding])
    expect(response.headers.get('content-type')).toContain('javascript')
    expect(response.headers.get('vary')).toMatch(/accept-encoding/i)
    expect((await response.text()).startsWith('// code')).toBe(true)
  }
})

test('a POST to a screen is refused', async () => {
  const response = await fetch(`${server.address}/profile`, { method: 'POST', body: 'x' })
  expect(response.status).toBe(405)
})

test('if the settings name another origin, replies, pages included, have Vary: Origin', async () => {
  const open = await startServer({ files: folder, env: { PORTAL_ORIGINS: 'https://portal.test' } })
  for (const path of ['/', '/nowhere', '/assets/main-abc123.js', '/api/health'])
    expect([path, (await fetch(`${open.address}${path}`)).headers.get('vary')]).toEqual([path, expect.stringMatching(/^Origin\b/)])
  for (const path of ['/', '/nowhere']) expect((await fetch(`${open.address}${path}`)).headers.get('vary')).toMatch(/accept-encoding/i)
  await open.close()
})
