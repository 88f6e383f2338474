import { expect, test as base, type BrowserContext, type Locator, type Page } from '@playwright/test'
import type { EarlyStart } from '#app/early-start.ts'
import { paths } from '#app/paths.ts'
import type { Language } from '#contract/languages.ts'
import { Api, type Person } from './api.ts'
import { WCAG, whatAxeFinds } from './axe.ts'
import { openFront, type Front } from './front.ts'
import { expectScreen } from './screens.ts'
import { ProductServer } from './server.ts'
import { wordsOf, type Words } from './words.ts'

/** The fixtures of every journey. */

export interface Fixtures {
  t: Words
  /** the API as a guest, and the mailbox */
  api: Api
  front: Front
  /** fails the journey on faults that nobody sees: a script error, something the security policy refused */
  noFaults: void
}

/** The product, and no browser yet. */
export const productTest = base.extend<Omit<Fixtures, 'noFaults'>, { server: ProductServer }>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the first parameter’s pattern
    async ({}, provide) => {
      const server = await ProductServer.start({ seeded: process.env['E2E_SEEDED'] })
      await provide(server)
      await server.throwAway()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ server }, provide) => provide(server.url),
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the first parameter’s pattern
  t: async ({}, provide) => provide(wordsOf('en')),
  api: async ({ server }, provide) => provide(new Api(server.url)),
  front: async ({ server }, provide) => {
    const front = await openFront(server.url)
    await provide(front)
    await front.close()
  },
})

export const test = productTest.extend<Pick<Fixtures, 'noFaults'>>({
  // storing the app's files in each new browser takes seconds
  serviceWorkers: 'block',
  noFaults: [
    async ({ context }, provide) => {
      const faults: string[] = []
      watchFaults(context, faults)
      await provide()
      expect(faults, 'faults in the page').toEqual([])
    },
    { auto: true },
  ],
})

/** For being offline, installing and updating: with the service worker. */
export const workerTest = test.extend({ serviceWorkers: 'allow' })

export { expect }

function watchFaults(context: BrowserContext, faults: string[]): void {
  context.on('weberror', (fault) => faults.push(String(fault.error().stack ?? fault.error())))
  context.on('console', (message) => {
    if (/content security policy|trusted type/i.test(message.text())) faults.push(message.text())
  })
}

/** Signs in on screen: the address, the code from the mailbox, and the dashboard that it leads to. */
export async function login(page: Page, t: Words, api: Api, email: string): Promise<void> {
  await page.goto(paths.login())
  await signInHere(page, t, api, email)
  await expectScreen(page, t, 'home', paths.home())
}

/** The same on the sign-in screen that the page shows, wherever that leads. */
export async function signInHere(page: Page, t: Words, api: Api, email: string): Promise<void> {
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  await askForCode(page, t, email)
  await typeCode(page, t, await api.code(email))
}

export async function askForCode(page: Page, t: Words, email: string): Promise<void> {
  await page.getByLabel(t('auth:Email')).fill(email)
  await page.getByRole('button', { name: t('auth:SendCode') }).click()
  await expect(page.getByRole('heading', { name: t('auth:OtpTitle') })).toBeVisible()
}

export async function typeCode(page: Page, t: Words, code: string): Promise<void> {
  await codeField(page, t).pressSequentially(code)
}

export function codeField(page: Page, t: Words) {
  return page.getByLabel(t('auth:OtpLabel', { count: 8 }))
}

/**
 * Opens a page signed in, as after an earlier visit (the names in local storage: SESSION-3), and waits until React has drawn it, which
 * may replace the first questions (QUESTIONS-23); not behind a `front`, which may hold the app back.
 */
export async function arriveAs(
  page: Page,
  person: Person,
  path: string,
  { origin = person.api.url, language }: { origin?: string; language?: Language } = {},
) {
  await page.goto(`${origin}/api/health`)
  const { accessToken, refreshToken, idToken, expiresIn } = person
  const stored = { accessToken, refreshToken, idToken, expiresAt: String(Date.now() + expiresIn * 1000), ...(language ? { language } : {}) }
  await page.evaluate((stored) => {
    for (const [name, value] of Object.entries(stored)) localStorage.setItem(name, value)
  }, stored)
  await page.goto(origin + path)
  if (origin === person.api.url) await page.waitForFunction(() => (window as { earlyStart?: EarlyStart }).earlyStart?.isDrawn === true)
}

/** Waits until the app's files are on the device and its worker controls this page. */
export async function untilWorkerIsThere(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (!navigator.serviceWorker.controller) {
      await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }))
    }
  })
}

/** Something that waits at `opened` until `open` lets it go on. */
export function gate(): { open: () => void; opened: Promise<void> } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

/** The page's calls to these paths, or the first `times` of them, go out only once the returned function is called. */
export async function holdCalls(page: Page, path: RegExp, times?: number): Promise<() => void> {
  const { open, opened } = gate()
  await page.route(
    ({ pathname }) => path.test(pathname),
    async (route) => {
      await opened
      await route.continue()
    },
    times === undefined ? {} : { times },
  )
  return open
}

export async function goOffline(page: Page, t: Words): Promise<void> {
  await page.context().setOffline(true)
  await expect(page.getByText(t('shell:Offline'))).toBeVisible()
}

export async function goOnline(page: Page, t: Words): Promise<void> {
  await page.context().setOffline(false)
  await expect(page.getByText(t('shell:Offline'))).toBeHidden({ timeout: 15_000 })
}

/** Taps an action that needs the connection, until the connection was checked again and the reason is shown. */
export async function tapInVain(page: Page, t: Words, button: Locator): Promise<void> {
  await button.click({ force: true })
  await expect(page.locator('#toasts').getByText(t('ui:OnlineOnlyReason'))).toBeVisible()
}

/** The tab dies without an unload event. */
export async function killTab(page: Page): Promise<void> {
  const crashed = page.waitForEvent('crash')
  const devtools = await page.context().newCDPSession(page)
  // no reply comes, as the tab is dead
  devtools.send('Page.crash').catch(() => undefined)
  await crashed
  await page.close()
}

export async function signOut(page: Page, t: Words): Promise<void> {
  await page.getByRole('button', { name: t('shell:MenuSignOut') }).click()
}

/** WCAG 2.2 A and AA. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  // the whole page at once: content under a sticky bar can be scrolled to
  const seen = page.viewportSize()
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  if (seen && height > seen.height) await page.setViewportSize({ width: seen.width, height })
  const found = await whatAxeFinds(page, WCAG)
  if (seen) await page.setViewportSize(seen)
  expect.soft(found, where).toEqual([])
}
