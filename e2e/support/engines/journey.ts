import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { productTest } from '../journey.ts'
import type { Engine, EngineBrowser } from './engine.ts'
import { CHROMIUM, engines } from './engines.ts'
import { EnginePage } from './page.ts'

/** A browser of one engine, with its own profile on the disk. */
export class Phone {
  #browser: EngineBrowser

  constructor(browser: EngineBrowser) {
    this.#browser = browser
  }

  /** Opens the browser, again after `close` and `kill`. */
  async open(): Promise<EnginePage> {
    return new EnginePage(await this.#browser.start())
  }

  /** As a person does it: everything is written. */
  close(): Promise<void> {
    return this.#browser.close()
  }

  /** The battery is empty. */
  kill(): Promise<void> {
    return this.#browser.kill()
  }
}

export const NOT_INSTALLED = 'not installed here'

export const engineTest = productTest.extend<{ engine: Engine; blocking: string; phone: Phone }>({
  engine: [CHROMIUM, { option: true }],
  blocking: ['', { option: true }],
  phone: async ({ engine, blocking }, provide) => {
    const folder = await mkdtemp(join(tmpdir(), 'touchline-engine-'))
    const browser = (engine.blocking[blocking] ?? engine.browser)(folder)
    await provide(new Phone(browser))
    await browser.end()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  },
})

/** These journeys in each engine; where this machine lacks one, they are skipped and a line of the run says so. */
export function inEveryEngine(journeys: () => void): void {
  for (const engine of engines) {
    engineTest.describe(engine.name, () => {
      engineTest.use({ engine })
      engineTest.skip(!engine.isInstalled, `${engine.name}: ${NOT_INSTALLED}`)
      // a browser is started several times, on a machine that runs other journeys
      engineTest.setTimeout(180_000)
      journeys()
    })
  }
}

/** These journeys with each setting of each engine that keeps pages from storing. */
export function whereStorageIsBlocked(journeys: () => void): void {
  for (const engine of engines) {
    for (const blocking of Object.keys(engine.blocking)) {
      engineTest.describe(`${engine.name}, ${blocking}`, () => {
        engineTest.use({ engine, blocking })
        engineTest.skip(!engine.isInstalled, `${engine.name}: ${NOT_INSTALLED}`)
        engineTest.setTimeout(180_000)
        journeys()
      })
    }
  }
}
