import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { expect } from '@playwright/test'
import type { Driver, InPage } from './engine.ts'

/** Something on the screen, by what it is and how it is called. */
export interface Part {
  role: string
  /** the whole name, or its pattern */
  name: string | RegExp
  within?: Part
}

interface Waiting {
  /** ms */
  timeout?: number
}

const TIMEOUT_MS = 15_000
/** looks, 100 ms apart, at something that must not move before it is tapped */
const STILL = 3

/** A page of any engine, used as a person does: by role, name and the words on screen. Everything waits until it is there. */
export class EnginePage {
  #driver: Driver

  constructor(driver: Driver) {
    this.#driver = driver
  }

  async goto(url: string): Promise<void> {
    await this.#driver.goto(url)
  }

  async reload(): Promise<void> {
    await this.#driver.reload()
  }

  run<G, R>(work: InPage<G, R>, given: G): Promise<R> {
    return this.#driver.run(work, given)
  }

  async tap(part: Part): Promise<void> {
    await this.sees(part)
    await this.#untilStill(part)
    await this.#driver.tap((part) => globalThis.findPart(part), wanted(part))
  }

  async type(part: Part, text: string): Promise<void> {
    await this.sees(part)
    await this.#driver.type((part) => globalThis.findPart(part), wanted(part), text)
  }

  /** In the page's one file field, which its button opens. */
  async chooseFile(path: string): Promise<void> {
    const field = () => document.querySelector('input[type=file]')
    await expect.poll(() => this.#driver.run(() => document.querySelector('input[type=file]') !== null, undefined)).toBe(true)
    await this.#driver.chooseFile(field, undefined, path)
  }

  async sees(part: Part, { timeout = TIMEOUT_MS }: Waiting = {}): Promise<void> {
    await expect.poll(() => this.has(part), { message: `${part.role} “${String(part.name)}”`, timeout }).toBe(true)
  }

  async seesNo(part: Part, { timeout = TIMEOUT_MS }: Waiting = {}): Promise<void> {
    await expect.poll(() => this.has(part), { message: `no ${part.role} “${String(part.name)}”`, timeout }).toBe(false)
  }

  /** Whether a radio or checkbox is chosen. */
  async seesChosen(part: Part): Promise<void> {
    await this.sees(part)
    await expect
      .poll(() => this.#driver.run((part) => globalThis.findPart(part)?.matches(':checked'), wanted(part)), { timeout: TIMEOUT_MS })
      .toBe(true)
  }

  async reads(words: string | RegExp, { timeout = TIMEOUT_MS }: Waiting = {}): Promise<void> {
    // there is none while the page is being replaced by another
    const text = () => this.#driver.run(() => document.body.innerText.replace(/\s+/g, ' '), undefined).catch(() => '')
    if (typeof words === 'string') await expect.poll(text, { timeout }).toContain(words.replace(/\s+/g, ' '))
    else await expect.poll(text, { timeout }).toMatch(words)
  }

  /** A tap on something that moves hits its neighbour: while a page still loads, say. */
  async #untilStill(part: Part): Promise<void> {
    let before = ''
    let times = 0
    const isStill = async () => {
      const place = await this.#driver.run((one) => JSON.stringify(globalThis.findPart(one)?.getBoundingClientRect()), wanted(part))
      times = place === before ? times + 1 : 0
      before = place
      return times >= STILL
    }
    await expect.poll(isStill, { timeout: TIMEOUT_MS, intervals: [100] }).toBe(true)
  }

  /** Whether it is there now. */
  async has(part: Part): Promise<boolean> {
    try {
      if (!(await this.#driver.run(() => 'findPart' in globalThis, undefined))) await this.#driver.load(await finder())
      return await this.#driver.run((part) => globalThis.findPart(part) !== null, wanted(part))
    } catch {
      // the page is being replaced by another
      return false
    }
  }
}

interface Wanted {
  role: string
  name: string
  isPattern: boolean
  within: Wanted | null
}

function wanted({ role, name, within }: Part): Wanted {
  const isPattern = name instanceof RegExp
  return { role, name: isPattern ? name.source : name, isPattern, within: within ? wanted(within) : null }
}

type Library = Pick<typeof import('@testing-library/dom'), 'queryAllByRole'>

declare global {
  var TestingLibraryDom: Library
  var findPart: (part: Wanted) => Element | null
}

/** Runs in the page. What is found is brought to the middle of the screen, away from bars that stay on top. */
function findPart({ role, name, isPattern, within }: Wanted): Element | null {
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
  const matches = (text: string) => (isPattern ? new RegExp(name).test(plain(text)) : plain(text) === plain(name))
  const place = within === null ? document.body : globalThis.findPart(within)
  if (!place) return null
  const [found] = globalThis.TestingLibraryDom.queryAllByRole(place as HTMLElement, role, { name: matches })
  found?.scrollIntoView({ block: 'center', behavior: 'instant' })
  return found ?? null
}

let source: Promise<string> | undefined

/** Roles and names as Testing Library computes them, the same in every engine. */
function finder(): Promise<string> {
  const file = createRequire(import.meta.url)
    .resolve('@testing-library/dom')
    .replace(/index\.js$/, '@testing-library/dom.umd.min.js')
  source ??= readFile(file, 'utf8').then((library) => `${library}\n;globalThis.findPart = ${String(findPart)}`)
  return source
}
