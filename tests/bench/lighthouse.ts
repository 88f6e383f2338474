/** Lighthouse's mobile default on the production build: the sign-in page as a guest, and the dashboard when signed in. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { setTimeout as delay } from 'node:timers/promises'
import { chromium } from 'playwright'
import * as z from 'zod/mini'
import { paths } from '#app/paths.ts'
import { installApart } from '#tools/install-apart.ts'
import { launchOptions } from './browser.ts'
import type { Measured } from './figures.ts'
import { freePort, storedCredentials, type Server } from './sites.ts'
import { spread } from './statistics.ts'

const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const
type Category = (typeof CATEGORIES)[number]

interface Report {
  scores: Record<Category, number>
  /** Lighthouse's measure of this machine's processor */
  index: number
  /** audits that cost points, with what they say */
  lost: string[]
}

// Lighthouse's default for every machine, with which a fast desktop is like a mid-range phone
const SLOWDOWN = 4

// a trace sometimes fails on a busy machine
const TRIES = 3

// bytes; a report has its screenshots in it
const REPORT_MAXIMUM = 64 * 1024 * 1024

/** Uses a new browser, because Lighthouse does not clear IndexedDB and a second visit would find the data of the first. */
async function audit(address: string, path: string, stored: Record<string, string>, slowdown = SLOWDOWN): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-lighthouse-'))
  const port = await freePort()
  const options = await launchOptions()
  // Lighthouse opens its page in the browser's own profile, so the session must be stored there
  const context = await chromium.launchPersistentContext(folder, {
    ...options,
    args: [...(options.args ?? []), `--remote-debugging-port=${port}`],
  })
  try {
    if (Object.keys(stored).length > 0) {
      const page = await context.newPage()
      await page.goto(`${address}/icons/favicon-32.png`)
      await page.evaluate((entries) => {
        for (const [name, value] of Object.entries(entries)) localStorage.setItem(name, value)
      }, stored)
      await page.close()
    }
    await untilQuiet()
    const lhr = await judge(address + path, port, slowdown)
    const ended = new URL(lhr.finalDisplayedUrl).pathname
    if (ended !== path) throw new Error(`Lighthouse was to see ${path} and saw ${ended}`)
    const scores = {} as Record<Category, number>
    const lost: string[] = []
    for (const category of CATEGORIES) {
      scores[category] = Math.round((lhr.categories[category]?.score ?? 0) * 100)
      for (const { id, weight } of lhr.categories[category]?.auditRefs ?? []) {
        const one = lhr.audits[id]
        if (one && weight > 0 && one.score !== null && one.score < 1)
          lost.push(`${category}: ${one.title}${one.displayValue ? ` (${one.displayValue})` : ''}`)
      }
    }
    return { scores, index: Math.round(lhr.environment.benchmarkIndex), lost }
  } finally {
    await context.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The slowdown with which a machine is like a mid-range phone (as Lighthouse calibrates it). */
function slowdownFor(index: number): number {
  return index < 1500 ? 2 : SLOWDOWN
}

/** Waits, because a browser is busy for some seconds after its start. */
async function untilQuiet(): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    const before = cpus()
    await delay(500)
    const idle = cpus().map(({ times }, at) => times.idle - (before[at]?.times.idle ?? 0))
    if (idle.every((ms) => ms > 450)) return
  }
}

const result = z.object({
  runtimeError: z.optional(z.object({ message: z.string() })),
  finalDisplayedUrl: z.string(),
  environment: z.object({ benchmarkIndex: z.number() }),
  categories: z.record(
    z.string(),
    z.object({ score: z.nullable(z.number()), auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })) }),
  ),
  audits: z.record(z.string(), z.object({ title: z.string(), score: z.nullable(z.number()), displayValue: z.optional(z.string()) })),
})

async function judge(url: string, port: number, slowdown: number): Promise<z.output<typeof result>> {
  const program = join(await installApart('tests/bench/lighthouse'), 'lighthouse/cli/index.js')
  let complaint = 'no result'
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    try {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [
          ...[program, url, `--port=${port}`, '--quiet', '--no-enable-error-reporting', '--output=json'],
          ...[`--only-categories=${CATEGORIES.join(',')}`, `--throttling.cpuSlowdownMultiplier=${slowdown}`],
        ],
        { maxBuffer: REPORT_MAXIMUM },
      )
      const found = result.parse(JSON.parse(stdout))
      if (!found.runtimeError) return found
      complaint = found.runtimeError.message
    } catch (error) {
      complaint = error instanceof Error ? error.message : String(error)
    }
  }
  throw new Error(`Lighthouse: ${complaint}`)
}

/** Audits with Lighthouse's default, then with the slowdown for this machine, each time with a new profile. */
async function auditTwice(server: Server, path: string, stored: () => Promise<Record<string, string>>) {
  const plain = await audit(server.address, path, await stored())
  const slowdown = slowdownFor(plain.index)
  return { plain, calibrated: slowdown === SLOWDOWN ? plain : await audit(server.address, path, await stored(), slowdown) }
}

export async function measureLighthouse(server: Server, runs: number): Promise<Measured[]> {
  const reports: Record<'sign-in' | 'dashboard', { plain: Report; calibrated: Report }[]> = { 'sign-in': [], dashboard: [] }
  for (let run = 0; run < runs; run += 1) {
    reports['sign-in'].push(await auditTwice(server, paths.login(), async () => ({})))
    const signedIn = async () => storedCredentials((await server.signIn()).credentials)
    reports.dashboard.push(await auditTwice(server, paths.home(), signedIn))
  }
  return Object.entries(reports).flatMap(([page, own]) => {
    const indexes = own.map(({ plain }) => plain.index)
    const calibrated = spread(own.map((report) => report.calibrated.scores.performance))
    const yardstick = `this machine: ${Math.min(...indexes)}–${Math.max(...indexes)}`
    return [
      ...CATEGORIES.map((category) => {
        const value = spread(own.map(({ plain }) => plain.scores[category]))
        const lost = [...new Set(own.flatMap(({ plain }) => plain.lost.filter((line) => line.startsWith(category))))]
        return { key: `lighthouse-${page}-${category}`, value, ours: String(value.median), detail: lost }
      }),
      { key: `lighthouse-${page}-calibrated`, value: calibrated, ours: String(calibrated.median), yardstick },
    ]
  })
}
