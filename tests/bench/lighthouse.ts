/** Lighthouse's mobile default on the production build: sign-in as a guest, the dashboard signed in. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse, { type Result } from 'lighthouse'
import { chromium } from 'playwright'
import { paths } from '#app/paths.ts'
import { launchOptions } from './browser.ts'
import type { Measured } from './figures.ts'
import { freePort, storedCredentials, type Server } from './sites.ts'
import { spread } from './statistics.ts'

const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const
type Category = (typeof CATEGORIES)[number]

interface Report {
  scores: Record<Category, number>
  /** audits that cost points, with what they say */
  lost: string[]
}

// a busy machine now and then spoils a trace
const TRIES = 3

async function audit(address: string, path: string, stored: Record<string, string>): Promise<Report> {
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
      await page.goto(`${address}/icons/favicon.svg`)
      await page.evaluate((entries) => {
        for (const [name, value] of Object.entries(entries)) localStorage.setItem(name, value)
      }, stored)
      await page.close()
    }
    const lhr = await judge(address + path, port)
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
    return { scores, lost }
  } finally {
    await context.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function judge(url: string, port: number): Promise<Result> {
  let complaint = 'no result'
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const result = await lighthouse(url, { port, logLevel: 'silent', onlyCategories: [...CATEGORIES] })
    if (result && !result.lhr.runtimeError) return result.lhr
    complaint = result?.lhr.runtimeError?.message ?? complaint
  }
  throw new Error(`Lighthouse: ${complaint}`)
}

export async function measureLighthouse(server: Server, runs: number): Promise<Measured[]> {
  const reports: Record<'sign-in' | 'dashboard', Report[]> = { 'sign-in': [], dashboard: [] }
  for (let run = 0; run < runs; run += 1) {
    reports['sign-in'].push(await audit(server.address, paths.login(), {}))
    const { credentials } = await server.signIn()
    reports.dashboard.push(await audit(server.address, paths.home(), storedCredentials(credentials)))
  }
  return Object.entries(reports).flatMap(([page, own]) =>
    CATEGORIES.map((category) => {
      const value = spread(own.map((report) => report.scores[category]))
      const lost = [...new Set(own.flatMap((report) => report.lost.filter((line) => line.startsWith(category))))]
      return { key: `lighthouse-${page}-${category}`, value, ours: String(value.median), detail: lost }
    }),
  )
}
