import { readFile } from 'node:fs/promises'
import { describe, expect, test, vi } from 'vitest'
import { LAST_LINE, LAST_RULE } from '#boot/build.ts'
import { countShell, isOfBuild, isWholeFile, notScreens, repairShell } from '../../sw/shell-cache.ts'

// Workbox looks for its global scope as it is imported.
vi.hoisted(() => vi.stubGlobal('self', globalThis))

const index = '<!doctype html><html lang="en"><body><div id="root"></div></body></html>'
const portal = '<!doctype html><title>Welcome to Club Wi-Fi</title>'

const script = `export {}\n${LAST_LINE}`
const png = new URL('../../public/icons/favicon-32.png', import.meta.url)

function file(body: string | Uint8Array<ArrayBuffer>, contentType: string, { redirected = false, status = 200 } = {}): Response {
  const response = new Response(body, { status, headers: { 'content-type': contentType } })
  return Object.defineProperty(response, 'redirected', { value: redirected })
}

describe('the navigation fallback', () => {
  test.each(['/', '/auth/login', '/profile', '/apiary', '/media-kit', '/developers', '/assessment/7/results?from=/api/'])(
    'replies to %s with index.html',
    (path) => {
      expect(notScreens.test(path)).toBe(false)
    },
  )

  test.each(['/api', '/api/docs', '/api/user/7', '/api?x=1', '/media/sample/a.pdf', '/dev/mail', '/dev', '/livez', '/readyz'])(
    'leaves %s alone',
    (path) => {
      expect(notScreens.test(path)).toBe(true)
    },
  )
})

describe('an app file is cached only if the build made it:', () => {
  const page = 'https://portal.test/index.html'
  const chunk = 'https://portal.test/assets/profile-abc.js'
  const sheet = 'https://portal.test/assets/profile-abc.css'
  const icon = 'https://portal.test/icons/favicon-32.png'

  test('index.html, scripts and pictures are cached', async () => {
    expect(await isWholeFile(page, file(index, 'text/html; charset=utf-8'))).toBe(true)
    expect(await isWholeFile(page, file(index.replaceAll('"', ''), 'text/html'))).toBe(true)
    expect(await isWholeFile(chunk, file(script, 'text/javascript'))).toBe(true)
    expect(await isWholeFile(sheet, file(`p{margin:0}${LAST_RULE}`, 'text/css'))).toBe(true)
    expect(await isWholeFile('https://portal.test/icons/icon.svg', file('<svg></svg>', 'image/svg+xml'))).toBe(true)
    expect(await isWholeFile(icon, file(await readFile(png), 'image/png'))).toBe(true)
  })

  test('index.html is cached from a host that redirects it to /, or adds a comment after it', async () => {
    const redirected = (to: string) => Object.defineProperty(file(index, 'text/html', { redirected: true }), 'url', { value: to })
    expect(await isWholeFile(page, redirected('https://portal.test/'))).toBe(true)
    expect(await isWholeFile(page, redirected('https://wifi.test/'))).toBe(false)
    expect(await isWholeFile(page, file(`${index}\n<!-- sent by edge 7 -->`, 'text/html'))).toBe(true)
    expect(await isWholeFile(page, file(`${index}<!-- cut `, 'text/html'))).toBe(false)
  })

  test("a captive portal's page is not cached", async () => {
    expect(await isWholeFile(page, file(portal, 'text/html'))).toBe(false)
    expect(await isWholeFile(chunk, file(portal, 'text/html'))).toBe(false)
    expect(await isWholeFile(chunk, file(script, 'text/javascript', { redirected: true }))).toBe(false)
  })

  test('index.html in place of a missing chunk, or an error, is not cached', async () => {
    expect(await isWholeFile(chunk, file(index, 'text/html'))).toBe(false)
    expect(await isWholeFile(chunk, file('gone', 'text/javascript', { status: 404 }))).toBe(false)
    expect(await isWholeFile(page, file(index, 'application/octet-stream'))).toBe(false)
  })

  test('index.html that was cut off is not cached, as it would be served from then on', async () => {
    expect(await isWholeFile(page, file(index.slice(0, -'</body></html>'.length), 'text/html'))).toBe(false)
    expect(await isWholeFile(page, file(`${index}\n`, 'text/html'))).toBe(true)
  })

  test('nor is a script, a style sheet or a picture', async () => {
    expect(await isWholeFile(chunk, file('export {}', 'text/javascript'))).toBe(false)
    expect(await isWholeFile(sheet, file('p{margin:0}', 'text/css'))).toBe(false)
    expect(await isWholeFile('https://portal.test/icons/icon.svg', file('<svg><path/>', 'image/svg+xml'))).toBe(false)
    expect(await isWholeFile(icon, file((await readFile(png)).subarray(0, -4), 'image/png'))).toBe(false)
  })

  test('a file can still be read after the check', async () => {
    const response = file(index, 'text/html')
    await isWholeFile(page, response)
    expect(await response.text()).toBe(index)
  })
})

test('a page is stored only if it is of the same build: two releases never mix, and no other site’s takes its place', async () => {
  const own = new Set(['index.html', 'assets/index-abc.js', 'assets/index-abc.css'])
  const page = (...files: string[]) => file(files.map((name) => `<script src="/${name}"></script>`).join(''), 'text/html')
  expect(await isOfBuild(page('assets/index-abc.js', 'assets/index-abc.css'), own)).toBe(true)
  expect(await isOfBuild(page('assets/index-abc.js', 'assets/index-xyz.js'), own)).toBe(false)
  // another site's page in place of ours
  expect(await isOfBuild(page(), own)).toBe(false)
  expect(await isOfBuild(page('static/js/main.js'), own)).toBe(false)
  expect(await isOfBuild(file('import "./index-xyz.js"', 'text/javascript'), own)).toBe(true)
})

test('a repair caches every file that it can fetch, even if one fails', async () => {
  const stored = new Map<string, Response>()
  const cache = {
    keys: async () => [...stored.keys()].map((url) => ({ url })),
    put: async (url: string, response: Response) => stored.set(url, response),
  }
  vi.stubGlobal('caches', { open: async () => cache })
  vi.stubGlobal('location', { href: 'https://portal.test/' })
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/lost-abc.js')) throw new TypeError('Failed to fetch')
    // these files arrive after the lost one has failed
    await new Promise((resolve) => setTimeout(resolve))
    return file(script, 'text/javascript')
  })
  const names = ['lost', ...Array.from({ length: 8 }, (_, at) => `part-${at}`)]
  const files = names.map((name) => ({ url: `https://portal.test/assets/${name}-abc.js`, revision: null }))
  await repairShell(files)
  expect(await countShell(files)).toEqual({ stored: 8, total: 9 })
})

test('a file of which the browser’s cache has kept a part is fetched past it', async () => {
  const stored = new Map<string, Response>()
  vi.stubGlobal('caches', { open: async () => ({ keys: async () => [], put: async (url: string, one: Response) => stored.set(url, one) }) })
  vi.stubGlobal('fetch', async (_: string, { cache }: RequestInit) => file(cache === 'reload' ? script : 'export', 'text/javascript'))
  const url = 'https://portal.test/assets/part-abc.js'
  await repairShell([{ url, revision: null }])
  expect(await stored.get(url)?.text()).toBe(script)
})

test('a file is stored as the same for all who ask, whatever the server or a proxy says it varies by', async () => {
  const stored = new Map<string, Response>()
  vi.stubGlobal('caches', { open: async () => ({ keys: async () => [], put: async (url: string, one: Response) => stored.set(url, one) }) })
  vi.stubGlobal('fetch', async (url: string) => {
    const response = file(script, 'text/javascript')
    response.headers.set('vary', url.includes('encoding') ? 'Accept-Encoding' : 'Accept-Encoding, Origin')
    return response
  })
  const urls = ['https://portal.test/assets/origin-abc.js', 'https://portal.test/assets/encoding-abc.js']
  await repairShell(urls.map((url) => ({ url, revision: null })))
  const [origin, encoding] = urls.map((url) => stored.get(url))
  expect([origin?.headers.get('vary'), encoding?.headers.get('vary')]).toEqual([null, 'Accept-Encoding'])
  expect([origin?.headers.get('content-type'), await origin?.text()]).toEqual(['text/javascript', script])
})

test('a file that is cut again and again is fetched until it is whole, and one that is missing only once more', async () => {
  const stored = new Map<string, Response>()
  const asked = new Map<string, number>()
  vi.stubGlobal('caches', { open: async () => ({ keys: async () => [], put: async (url: string, one: Response) => stored.set(url, one) }) })
  vi.stubGlobal('fetch', async (url: string) => {
    const times = (asked.get(url) ?? 0) + 1
    asked.set(url, times)
    if (url.endsWith('/lost-abc.js')) return file('gone', 'text/javascript', { status: 404 })
    return file(times < 5 ? 'export' : script, 'text/javascript')
  })
  const [url, lost] = ['https://portal.test/assets/part-abc.js', 'https://portal.test/assets/lost-abc.js']
  await repairShell([url, lost].map((one) => ({ url: one, revision: null })))
  expect(await stored.get(url)?.text()).toBe(script)
  expect([...asked]).toEqual([
    [url, 5],
    [lost, 2],
  ])
})
