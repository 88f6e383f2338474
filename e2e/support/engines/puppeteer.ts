import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import puppeteer, { type Browser, type ElementHandle, type LaunchOptions, type Page } from 'puppeteer-core'
import type { Driver, EngineBrowser, Finder } from './engine.ts'

/** Chromium and Firefox, by Puppeteer: it needs no driver program, and of Firefox no build of its own. */
export class PuppeteerBrowser implements EngineBrowser {
  #options: LaunchOptions
  #folder: string
  #preferences: object | undefined
  #browser: Browser | undefined

  /** @param preferences of a new profile of Chromium */
  constructor(folder: string, options: LaunchOptions, preferences?: object) {
    this.#folder = folder
    this.#options = options
    this.#preferences = preferences
  }

  async start(): Promise<Driver> {
    await mkdir(this.#folder, { recursive: true })
    await this.#writePreferences()
    this.#browser = await puppeteer.launch({
      ...this.#options,
      userDataDir: this.#folder,
      headless: true,
      defaultViewport: { width: 1280, height: 800 },
      // root's own folder of profiles stays untouched
      env: { ...process.env, ...this.#options.env, HOME: this.#folder },
    })
    const [page] = await this.#browser.pages()
    return driverOf(page ?? (await this.#browser.newPage()))
  }

  /** At the first start: after that they are the browser's own. */
  async #writePreferences(): Promise<void> {
    if (!this.#preferences) return
    const profile = join(this.#folder, 'Default')
    await mkdir(profile)
    await writeFile(join(profile, 'Preferences'), JSON.stringify(this.#preferences))
    this.#preferences = undefined
  }

  async close(): Promise<void> {
    await this.#browser?.close()
    this.#browser = undefined
  }

  async kill(): Promise<void> {
    const child = this.#browser?.process()
    this.#browser = undefined
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    process.kill(-child.pid, 'SIGKILL')
    await exit
  }

  async end(): Promise<void> {
    await this.kill()
  }
}

function driverOf(page: Page): Driver {
  const found = async <G>(find: Finder<G>, given: G) => {
    const handle = await page.evaluateHandle(find as (given: unknown) => Element | null, given)
    const element = handle.asElement()
    if (!element) throw new Error('It is no longer on the screen')
    return element as ElementHandle<Element>
  }
  return {
    goto: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    run: async (work, given) => page.evaluate(work as (given: unknown) => never, given),
    load: async (source) => void (await page.evaluate(source)),
    tap: async (find, given) => (await found(find, given)).click(),
    type: async (find, given, text) => (await found(find, given)).type(text),
    chooseFile: async (find, given, path) => ((await found(find, given)) as ElementHandle<HTMLInputElement>).uploadFile(path),
  }
}
