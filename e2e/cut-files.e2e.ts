import { Script } from 'node:vm'
import { RELOADED_KEY } from '#app/constants.ts'
import { paths } from '#app/paths.ts'
import { LAST_LINE, LAST_RULE } from '#boot/build.ts'
import { newPlayer } from './support/api.ts'
import { engineTest as test, inEveryEngine } from './support/engines/journey.ts'
import type { EnginePage } from './support/engines/page.ts'
import { heading, signIn } from './support/engines/steps.ts'
import { endEarly, fileMissing } from './support/front.ts'
import { expect, productTest } from './support/journey.ts'
import { countLoads } from './support/requests.ts'

/** Files of the app that end early, in replies that seem whole: browsers use them, and keep them in their cache. OFFLINE-14 */

/** The style sheets of the page that lack some of their rules. */
async function cutSheets(page: EnginePage): Promise<string[]> {
  return page.run(async () => {
    const cut: string[] = []
    for (const { href, cssRules } of document.styleSheets) {
      if (!href) continue
      const whole = new CSSStyleSheet()
      await whole.replace(await (await fetch(href, { cache: 'reload' })).text())
      if (whole.cssRules.length !== cssRules.length) cut.push(`${href}: ${cssRules.length} of ${whole.cssRules.length} rules`)
    }
    return cut
  }, undefined)
}

/** Runs in the page: the files that the worker has stored and that differ from the server's. */
async function storedCut(): Promise<string[]> {
  const cut: string[] = []
  for (const name of await caches.keys()) {
    const cache = await caches.open(name)
    for (const { url } of await cache.keys()) {
      const length = async (reply: Response | undefined) => (await reply?.arrayBuffer())?.byteLength
      const { pathname } = new URL(url)
      // of a URL that the worker does not serve
      const [stored, whole] = [await length(await cache.match(url)), await length(await fetch(`${pathname}?whole`, { cache: 'reload' }))]
      if (stored !== whole) cut.push(`${pathname}: ${stored} of ${whole} bytes`)
    }
  }
  return cut
}

inEveryEngine(() => {
  for (const [how, cut] of Object.entries({ once: {}, twice: { times: 2 }, 'once, compressed,': { encoding: 'gzip' } })) {
    test(`style sheets, texts and a script that are cut ${how} are requested again`, async ({ t, server, front, phone }) => {
      front.bend(/\.css$|\/(words|auth|core)-[\w-]+\.js$/, endEarly(server.url, cut))
      const page = await phone.open()
      await page.goto(front.url + paths.login())
      await page.sees(heading(t('auth:LoginTitle')), { timeout: 40_000 })
      await expect.poll(() => cutSheets(page), { timeout: 20_000 }).toEqual([])
    })
  }

  for (const [what, cut] of Object.entries({
    'the text between its words and its export': { files: /\/auth-[\w-]+\.js$/, keep: (whole: Buffer) => whole.lastIndexOf('export{') },
    'the screen before its export': { files: /\/login\.screen-[\w-]+\.js$/, keep: (whole: Buffer) => whole.lastIndexOf('export{') },
    'the last script before what it does last': { files: /\/index-[\w-]+\.js$/, keep: (whole: Buffer) => whole.lastIndexOf('}') + 1 },
    'every file before its first byte': { files: /^\/assets\//, keep: () => 0 },
    'the text twice, in the middle': { files: /\/auth-[\w-]+\.js$/, times: 2 },
  })) {
    test(`a cut that leaves what can be read is noticed: ${what}`, async ({ t, server, front, phone }) => {
      const { files, ...how } = cut
      front.bend(/^\/sw\.js/, fileMissing)
      front.bend(files, endEarly(server.url, how))
      const page = await phone.open()
      await page.goto(front.url + paths.login())
      await page.sees(heading(t('auth:LoginTitle')), { timeout: 30_000 })
    })
  }

  test('files that are cut are not stored for offline use', async ({ t, server, front, phone }) => {
    front.bend(/^\/(assets\/(home|profile|results|grass)|icons)/, endEarly(server.url))
    const page = await phone.open()
    await page.goto(front.url + paths.login())
    await page.sees(heading(t('auth:LoginTitle')), { timeout: 40_000 })
    const isStored = () => page.run(async () => Boolean((await navigator.serviceWorker.getRegistration())?.active), undefined)
    await expect.poll(isStored, { timeout: 60_000 }).toBe(true)
    front.mend()
    expect(await page.run(storedCut, undefined)).toEqual([])
  })

  for (const [kind, files] of Object.entries({
    'a style sheet': /\/profile-[\w-]+\.css$/,
    'a script': /\/profile\.screen-[\w-]+\.js$/,
    'the text': /\/profile-[\w-]+\.js$/,
  })) {
    test(`${kind} of a later screen that is cut is requested again`, async ({ t, server, front, phone }) => {
      front.bend(/^\/sw\.js/, fileMissing)
      const page = await phone.open()
      await signIn(page, t, await newPlayer(server.url), front.url)
      await page.sees({ role: 'region', name: t('home:SummaryTitle') })
      front.bend(files, endEarly(server.url))
      await page.tap({ role: 'link', name: t('shell:MenuProfile') })
      await page.sees(heading(t('profile:ProfileTitle')), { timeout: 40_000 })
      await expect.poll(() => cutSheets(page), { timeout: 20_000 }).toEqual([])
    })
  }
})

// not `test`, which fails for a fault in the page
productTest('a script that is cut in a page that was just reloaded is read when a minute is over', async ({ t, page, server, front }) => {
  await page.clock.install()
  await page.goto(`${front.url}/api/health`)
  await page.evaluate((key) => sessionStorage.setItem(key, String(Date.now())), RELOADED_KEY)
  front.bend(/\/core-[\w-]+\.js$/, endEarly(server.url))
  const loads = countLoads(page)
  await page.goto(front.url + paths.login())
  await page.clock.runFor('00:50')
  expect(loads()).toBe(1)
  const opens = async () => {
    await page.clock.runFor('00:05')
    return page.getByRole('heading', { name: t('auth:LoginTitle') }).isVisible()
  }
  await expect.poll(opens, { timeout: 60_000 }).toBe(true)
  expect(loads()).toBe(2)
})

productTest(
  'where a proxy takes comments and empty rules out of the files, the app starts all the same',
  async ({ t, page, server, front }) => {
    front.bend(/^\/assets\/.*\.(css|js)$/, (incoming, reply) => {
      incoming.resume()
      void fetch(server.url + incoming.url).then(async (response) => {
        const text = await response.text()
        const headers = { 'content-type': response.headers.get('content-type') ?? '', 'cache-control': 'no-store' }
        reply.writeHead(200, headers).end(text.replace(LAST_RULE, '').replace(LAST_LINE, ''))
      })
    })
    await page.goto(front.url + paths.login())
    await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible({ timeout: 60_000 })
    expect(await page.evaluate(() => [...document.styleSheets].every(({ cssRules }) => cssRules.length > 0))).toBe(true)
  },
)

productTest('a worker whose files were cut is tried again while the page stays', async ({ t, page, server, front }) => {
  await page.clock.install()
  front.bend(/^\/icons\/icon-512/, endEarly(server.url, { times: 2 }))
  await page.goto(front.url + paths.login())
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  const isStored = async () => {
    await page.clock.runFor('00:10')
    return page.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration())?.active))
  }
  await expect.poll(isStored, { timeout: 40_000 }).toBe(true)
})

productTest('no part of the worker’s script can be read: it would be a worker that stores nothing', async ({ server }) => {
  const script = await (await fetch(`${server.url}/sw.js`)).text()
  const isRead = (part: string) => {
    try {
      return new Script(part) instanceof Script
    } catch {
      return false
    }
  }
  // of the whole script, without `();` it is a function that nobody calls
  const places = Array.from(script.trimEnd().slice(0, -4).matchAll(/[;})]/g), ({ index }) => index + 1)
  expect(places.length).toBeGreaterThan(1000)
  expect(places.filter((place) => isRead(script.slice(0, place)))).toEqual([])
})
