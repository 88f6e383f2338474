import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as delay } from 'node:timers/promises'
import type { WebDriver } from 'selenium-webdriver'
import { installApart } from '#tools/install-apart.ts'
import { freePort } from '../server.ts'
import type { Driver, EngineBrowser, Finder } from './engine.ts'

const PROGRAM = fileURLToPath(new URL('webkit-browser.js', import.meta.url))

const GJS = '/usr/bin/gjs'
const WEBKIT_DRIVER = '/usr/bin/WebKitWebDriver'
const XVFB = '/usr/bin/Xvfb'

// what webkit-browser.js imports, which is a package of its own
const LIBRARY = "imports.gi.versions.WebKit2 = '4.1'; imports.gi.WebKit2"

export const isWebKitInstalled =
  [GJS, WEBKIT_DRIVER, XVFB].every((place) => existsSync(place)) && spawnSync(GJS, ['-c', LIBRARY]).status === 0

type Selenium = typeof import('selenium-webdriver')

/** Only where there is a WebKit to drive; the first call installs it. */
export async function loadSelenium(): Promise<Selenium> {
  const folder = await installApart('tests/installed/selenium')
  return createRequire(join(folder, 'selenium-webdriver/package.json'))('./index.js') as Selenium // as that version has it
}

/** WebKitGTK, by its own driver program, on a display in memory. */
export class WebKitBrowser implements EngineBrowser {
  #folder: string
  #settings: string[]
  #display: { child: ChildProcess; name: string } | undefined
  #program: ChildProcess | undefined
  #driver: WebDriver | undefined

  constructor(folder: string, settings?: 'no-storage') {
    this.#folder = folder
    this.#settings = settings ? [settings] : []
  }

  async start(): Promise<Driver> {
    await mkdir(this.#folder, { recursive: true })
    this.#display ??= await openDisplay()
    const port = await freePort()
    this.#program = startProgram(WEBKIT_DRIVER, [`--port=${port}`], {
      ...process.env,
      DISPLAY: this.#display.name,
      GDK_BACKEND: 'x11',
      // neither a session bus nor the accessibility bus is there to answer
      NO_AT_BRIDGE: '1',
      XDG_RUNTIME_DIR: this.#folder,
    })
    const url = `http://127.0.0.1:${port}`
    await untilReady(`${url}/status`)
    const selenium = await loadSelenium()
    this.#driver = await new selenium.Builder()
      .usingServer(url)
      .withCapabilities(
        new selenium.Capabilities({
          browserName: 'WebKitGTK',
          'webkitgtk:browserOptions': { binary: GJS, args: ['-m', PROGRAM, this.#folder, ...this.#settings] },
        }),
      )
      .build()
    return driverOf(selenium, this.#driver)
  }

  async close(): Promise<void> {
    await this.#driver?.quit()
    await this.kill()
  }

  async kill(): Promise<void> {
    const child = this.#program
    this.#program = undefined
    this.#driver = undefined
    await killGroup(child)
  }

  async end(): Promise<void> {
    await this.kill()
    await killGroup(this.#display?.child)
    this.#display = undefined
  }
}

/** In a process group of its own, with whatever it starts; it does not outlive this process. */
function startProgram(program: string, args: string[], env: NodeJS.ProcessEnv, pipe = false): ChildProcess {
  const child = spawn(program, args, { env, detached: true, stdio: ['ignore', 'ignore', 'ignore', pipe ? 'pipe' : 'ignore'] })
  const end = () => void killGroup(child)
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  return child
}

async function killGroup(child: ChildProcess | undefined): Promise<void> {
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  process.kill(-child.pid, 'SIGKILL')
  await exit
}

async function openDisplay(): Promise<{ child: ChildProcess; name: string }> {
  const child = startProgram(XVFB, ['-displayfd', '3', '-screen', '0', '1280x1000x24', '-nolisten', 'tcp'], process.env, true)
  const said = child.stdio[3]
  if (!said) throw new Error('Xvfb has no pipe')
  const [number] = (await once(said, 'data')) as [Buffer] // the number of its display
  return { child, name: `:${String(number).trim()}` }
}

async function untilReady(url: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await fetch(url)
      return
    } catch (failure) {
      if (tries === 100) throw failure
      await delay(100)
    }
  }
}

/** A screen may be drawn anew between finding something and tapping it. */
const TAPS_MAXIMUM = 3

function driverOf({ WebElement, error: { StaleElementReferenceError } }: Selenium, driver: WebDriver): Driver {
  const run = async <G>(work: (given: G) => unknown, given: G) =>
    driver.executeScript<unknown>(`return (${String(work)})(arguments[0])`, given)
  const found = async <G>(find: Finder<G>, given: G) => {
    const element = await run(find, given)
    if (!(element instanceof WebElement)) throw new Error('It is no longer on the screen')
    return element
  }
  const tap = async <G>(find: Finder<G>, given: G, tries = 1): Promise<void> => {
    try {
      await (await found(find, given)).click()
    } catch (failure) {
      if (!(failure instanceof StaleElementReferenceError) || tries === TAPS_MAXIMUM) throw failure
      await tap(find, given, tries + 1)
    }
  }
  return {
    goto: (url) => driver.get(url),
    reload: () => driver.navigate().refresh(),
    run: (work, given) => run(work, given) as Promise<never>,
    load: (source) => driver.executeScript(source),
    tap: (find, given) => tap(find, given),
    type: async (find, given, text) => (await found(find, given)).sendKeys(text),
    chooseFile: async (find, given, path) => (await found(find, given)).sendKeys(path),
  }
}
