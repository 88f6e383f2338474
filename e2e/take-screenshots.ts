/**
 * Takes the manifest's screenshots of the built app, in each language: `npm run build`, then `node e2e/take-screenshots.ts` after a
 * visible change. The pictures are committed. INSTALL-1
 */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser } from '@playwright/test'
import sharp from 'sharp'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { LANGUAGES, type Language } from '#contract/languages.ts'
import { SCREENSHOTS, screenshotFile, SHOTS, WINDOWS } from '#tools/screenshots.ts'
import { DEMO_PLAYER_DONE, newPlayer, signInByApi, type Person } from './support/api.ts'
import { launchOptions } from './support/browser.ts'
import { arriveAs } from './support/journey.ts'
import { ProductServer } from './support/server.ts'
import { DEMO_COACH } from './support/team-panel.ts'

/** Enough to show progress; the first section has 12 questions. */
const ANSWERED = 4

interface View {
  person: Person
  path: string
}

async function viewsOf(url: string): Promise<Record<(typeof SHOTS)[number]['screen'], View>> {
  const done = await signInByApi(url, DEMO_PLAYER_DONE)
  const begun = await newPlayer(url, { questions: ANSWERED })
  const coach = await signInByApi(url, DEMO_COACH, 'coach')
  const completed = (await done.api.ask(instances.list, { query: { userId: done.userId } })).data.find(
    ({ status }) => status === 'COMPLETED',
  )
  return {
    test: { person: begun, path: paths.test(begun.instanceId) },
    home: { person: begun, path: paths.home() },
    results: { person: done, path: paths.results(completed?.instanceId ?? '') },
    team: { person: coach, path: paths.home() },
  }
}

async function take(browser: Browser, language: Language, shot: (typeof SHOTS)[number], { person, path }: View): Promise<void> {
  const { width, height, scale } = WINDOWS[shot.formFactor]
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    hasTouch: shot.formFactor === 'narrow',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    bypassCSP: true,
  })
  const page = await context.newPage()
  await arriveAs(page, person, path, { language })
  await page.waitForLoadState('networkidle')
  // the demo's own line is no part of the product
  await page.addStyleTag({ content: '.ribbon { display: none !important }' })
  const picture = sharp(await page.screenshot()).webp({ quality: 80, effort: 6 })
  await picture.toFile(fileURLToPath(new URL(screenshotFile(language, shot), SCREENSHOTS)))
  await context.close()
}

const server = await ProductServer.start()
const browser = await chromium.launch(await launchOptions())
const views = await viewsOf(server.url)
for (const language of LANGUAGES) {
  await mkdir(new URL(`${language}/`, SCREENSHOTS), { recursive: true })
  for (const shot of SHOTS) await take(browser, language, shot, views[shot.screen])
}
await browser.close()
await server.throwAway()
