import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkCalls } from '#operator/doctor/calls.ts'
import { checkFiles } from '#operator/doctor/files.ts'
import { freePort } from '#tests/support/free-port.ts'
import { startServer } from '#tests/support/start-server.ts'
import { newFolder } from './support.ts'

/** What the doctor says of a proxy between people and the server. */

interface Faults {
  /** of the page, in place of the server's */
  policy?: string
  /** answers every page itself */
  status?: number
  withoutPatch?: boolean
  withoutAuthorization?: boolean
}

/** A server with a portal, and where it is reached behind a proxy that changes texts, or has other faults. */
async function behind(
  changed: (text: string, path: string) => string,
  { policy, status, withoutPatch, withoutAuthorization }: Faults = {},
): Promise<{ own: string; url: string }> {
  const folder = `${await newFolder()}/`
  await mkdir(join(folder, 'assets'))
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><html><div id="root"></div><script src="/assets/main-abc.js"></script></html>',
  )
  await writeFile(join(folder, 'assets/main-abc.js'), 'export {}\n//whole\n')
  const { address, close } = await startServer({ files: folder })
  onTestFinished(close)
  const proxy = createServer((request, reply) => {
    const path = request.url ?? ''
    if (withoutPatch && request.method === 'PATCH') return reply.writeHead(405).end('<html>')
    const headers = withoutAuthorization ? {} : { authorization: request.headers.authorization ?? '' }
    void fetch(address + path, { method: request.method ?? 'GET', headers }).then(async (response) => {
      const passed = policy ?? response.headers.get('content-security-policy') ?? ''
      const isPage = path.endsWith('.html')
      reply
        .writeHead(isPage ? (status ?? response.status) : response.status, {
          'content-security-policy': passed,
          'www-authenticate': response.headers.get('www-authenticate') ?? '',
        })
        .end(changed(await response.text(), path))
    })
  })
  const port = await freePort()
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', () => resolve()))
  onTestFinished(() => void proxy.close())
  return { own: address, url: `http://127.0.0.1:${port}` }
}

async function found(...change: Parameters<typeof behind>): Promise<string[]> {
  const { own, url } = await behind(...change)
  return (await checkFiles(url, own)).filter(({ level }) => level !== 'ok').map(({ message }) => message)
}

const asItIs = (text: string) => text

test('a proxy is in order where it passes files on, or adds a comment after the page', async () => {
  const { own, url } = await behind(asItIs)
  expect(await checkFiles(url, own)).toEqual([{ level: 'ok', setting: 'PUBLIC_URL', message: expect.stringContaining('as they are') }])
  expect(await found((text, path) => (path === '/index.html' ? `${text}\n<!-- edge 7 -->` : text))).toEqual([])
})

test('a proxy is named where it changes scripts, the page or its policy', async () => {
  const changed = [expect.stringMatching(/Files arrive at .* changed: turn off whatever minifies/)]
  expect(await found((text) => text.replace('//whole', ''))).toEqual(changed)
  expect(await found((text) => text.replace('</html>', '<script src="/ads.js"></script></html>'))).toEqual(changed)
  expect(await found(asItIs, { policy: "default-src 'self'" })).toEqual([expect.stringMatching(/another content-security-policy/)])
})

test('a proxy is named where it shows another page, or one that no browser can read', async () => {
  const other = [expect.stringMatching(/is not the portal's page: let the proxy pass every path on/)]
  expect(await found((text, path) => (path === '/index.html' ? '<title>Welcome to nginx!</title>' : text))).toEqual(other)
  expect(await found((text, path) => (path === '/index.html' ? '\u001f\u008b\u0008' : text))).toEqual(other)
  expect(await found(asItIs, { status: 401 })).toEqual(other)
})

test('a proxy is named where it passes on calls without PATCH, or without their credentials', async () => {
  const said = async (faults: Faults) =>
    (await checkCalls((await behind(asItIs, faults)).url)).map(({ level, message }) => [level, message])
  expect(await said({})).toEqual([['ok', expect.stringMatching(/^Calls arrive by .* as they are/)]])
  expect(await said({ withoutPatch: true })).toEqual([['error', expect.stringMatching(/^Calls with PATCH do not arrive by .*405/)]])
  expect(await said({ withoutAuthorization: true })).toEqual([['error', expect.stringMatching(/without their Authorization header/)]])
})

test('a proxy is not judged by a server of another build, or by none', async () => {
  expect(await found((text) => text.replaceAll('main-abc', 'main-xyz'))).toEqual([])
  const { url } = await behind((text) => text.replace('//whole', ''))
  expect(await checkFiles(url, `http://127.0.0.1:${await freePort()}`)).toEqual([])
})
