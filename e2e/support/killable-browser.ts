import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, expect, type Browser, type Page } from '@playwright/test'
import { launchOptions, NO_SANDBOX } from './browser.ts'

/** A browser with a profile on the disk, in a process of its own: it can be killed and opened again on the same profile. */
export class KillableBrowser {
  #folder: string
  #process: ChildProcess | undefined
  #browser: Browser | undefined

  private constructor(folder: string) {
    this.#folder = folder
  }

  static async make(): Promise<KillableBrowser> {
    return new KillableBrowser(await mkdtemp(join(tmpdir(), 'touchline-profile-')))
  }

  async open(): Promise<Page> {
    const { executablePath, env } = await launchOptions()
    const portFile = join(this.#folder, 'DevToolsActivePort')
    await rm(portFile, { force: true })
    this.#process = spawn(
      executablePath ?? chromium.executablePath(),
      [
        NO_SANDBOX,
        '--headless=new',
        '--remote-debugging-port=0',
        `--user-data-dir=${this.#folder}`,
        '--no-first-run',
        '--force-prefers-reduced-motion',
        '--lang=en-US',
        '--window-size=1280,900',
        'about:blank',
      ],
      // a process group of its own, so that the whole browser dies at once
      { stdio: 'ignore', detached: true, ...(env ? { env } : {}) },
    )
    // the file is there before its text is
    const readPort = async () => (existsSync(portFile) ? (await readFile(portFile, 'utf8')).split('\n')[0] : '')
    await expect.poll(readPort, { timeout: 20_000 }).toMatch(/^\d+$/)
    const port = await readPort()
    this.#browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
    const [context] = this.#browser.contexts()
    const page = context?.pages()[0] ?? (await context?.newPage())
    if (!page) throw new Error('The browser opened without a page')
    return page
  }

  /** Kills the whole browser, as an empty battery would. */
  async kill(): Promise<void> {
    const child = this.#process
    this.#process = undefined
    if (child?.pid === undefined) return
    const exit = once(child, 'exit')
    process.kill(-child.pid, 'SIGKILL')
    await exit
    await this.#browser?.close().catch(() => undefined)
  }

  /** Closes it as a user does: everything is flushed. */
  async close(): Promise<void> {
    const child = this.#process
    if (!child) return
    const exit = once(child, 'exit')
    const devtools = await this.#browser?.newBrowserCDPSession()
    await devtools?.send('Browser.close').catch(() => undefined)
    await exit
    this.#process = undefined
    await this.#browser?.close().catch(() => undefined)
  }

  async throwAway(): Promise<void> {
    await this.kill()
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
