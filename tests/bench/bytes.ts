/** Scripts that a route loads before the first tap, and all that the worker caches. Gzip -9 of the built files; 1 KB = 1,000 bytes. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser } from 'playwright'
import { paths } from '#app/paths.ts'
import { freshContext, type Site } from './browser.ts'
import type { Measured } from './figures.ts'
import type { Sites } from './sites.ts'
import { spread } from './statistics.ts'

async function scriptsOf(browser: Browser, site: Site): Promise<string[]> {
  const context = await freshContext(browser, site, 'phone')
  try {
    const page = await context.newPage()
    const found = new Set<string>()
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      // requests of the worker do not count here; what it caches is the third figure
      if (pathname.endsWith('.js') && pathname !== '/sw.js' && response.request().serviceWorker() === null) found.add(pathname)
    })
    await page.goto(site.origin + site.path, { waitUntil: 'networkidle' })
    await delay(2000)
    return [...found]
  } finally {
    await context.close()
  }
}

async function gzipSizes(files: string, names: readonly string[]): Promise<Record<string, number>> {
  const sizes = await Promise.all(
    names.map(async (name) => [name, gzipSync(await readFile(join(files, name)), { level: 9 }).length] as const),
  )
  return Object.fromEntries(sizes.toSorted(([, a], [, b]) => b - a))
}

async function inPage(files: string): Promise<Record<string, number>> {
  const html = await readFile(join(files, 'index.html'), 'utf8')
  const texts = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(([, text = '']) => text)
  return Object.fromEntries(texts.map((text, index) => [`index.html, script ${index + 1}`, gzipSync(text, { level: 9 }).length]))
}

async function precached(files: string): Promise<string[]> {
  const worker = await readFile(join(files, 'sw.js'), 'utf8')
  return [...worker.matchAll(/["']?url["']?:\s*["'`]([^"'`]+\.js)["'`]/g)].map(([, url = '']) => `/${url.replace(/^\//, '')}`)
}

export async function measureBytes(browser: Browser, sites: Sites, files: string): Promise<Measured[]> {
  const ours = await sites.ours()
  const signIn: Site = { ...ours, path: paths.login(), stored: {} }
  const row = async (key: string, names: readonly string[]): Promise<Measured> => {
    const sizes = { ...(await gzipSizes(files, names)), ...(await inPage(files)) }
    const total = Object.values(sizes).reduce((sum, size) => sum + size, 0) / 1000
    return { key, value: spread([total]), ours: `${total.toFixed(1)} KB, ${names.length} files`, detail: sizes }
  }
  return [
    await row('bytes-sign-in', await scriptsOf(browser, signIn)),
    await row('bytes-questionnaire', await scriptsOf(browser, ours)),
    await row('bytes-precached', await precached(files)),
  ]
}
