/** A coach with a large squad: time until a search, filter, column or page is painted, and time of the reads among many coaches. */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Browser, Page } from 'playwright'
import { paths } from '#app/paths.ts'
import { instancesForCoach } from '#contract/instances.coach.ts'
import { tokens } from '#contract/tokens.ts'
import { layouts, slowDown } from './browser.ts'
import type { Measured } from './figures.ts'
import { startPostgres } from './postgres.ts'
import { startProduct, storedCredentials, type Server } from './sites.ts'
import { median, pairedRatio, spread } from './statistics.ts'

export const SQUAD = { count: 1, players: 2000, tokens: 5000 }
const OTHERS = { players: 10, tokens: 20 }
const FEW = 10
const MANY = 1000
const READS = 5
const BETWEEN_ACTIONS = 400

/** Each action changes which rows the table shows, and leaves ten of them. All of one position have a result, so that it comes second. */
const actions: Record<string, (page: Page) => Promise<unknown>> = {
  search: (page) => page.getByRole('searchbox').pressSequentially('m'),
  'search more': (page) => page.getByRole('searchbox').pressSequentially('a'),
  'search nothing': (page) => page.getByRole('searchbox').fill(''),
  'filter by result': (page) => page.getByRole('combobox').nth(0).selectOption({ index: 1 }),
  'filter by position': (page) => page.getByRole('combobox').nth(1).selectOption({ index: 2 }),
  'all positions': (page) => page.getByRole('combobox').nth(1).selectOption({ index: 0 }),
  'all results': (page) => page.getByRole('combobox').nth(0).selectOption({ index: 0 }),
  'sort by email': (page) => page.getByRole('columnheader').nth(1).getByRole('button').click(),
  'sort by result': (page) => page.getByRole('columnheader').nth(7).getByRole('button').click(),
  'sort by player': (page) => page.getByRole('columnheader').nth(0).getByRole('button').click(),
  'sort the other way': (page) => page.getByRole('columnheader').nth(0).getByRole('button').click(),
  'next page': (page) =>
    page
      .getByRole('navigation')
      .filter({ has: page.locator('ol') })
      .first()
      .getByRole('button')
      .nth(5)
      .click(),
}

interface Moment {
  ms: number
  rows: string
}

/** Runs in the page; measures from the browser's time of the event to the end of the frame that shows its result. */
function installClock(): void {
  let fulfil: ((moment: Moment) => void) | undefined
  const rows = () => document.querySelector('table tbody')?.textContent ?? ''
  for (const type of ['click', 'input']) {
    addEventListener(
      type,
      (event) => {
        const done = fulfil
        fulfil = undefined
        if (!done) return
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.addEventListener('message', () => done({ ms: performance.now() - event.timeStamp, rows: rows() }))
          port1.start()
          port2.postMessage(null)
        })
      },
      true,
    )
  }
  Object.assign(window, {
    squad: () =>
      new Promise<Moment>((resolve) => {
        fulfil = resolve
      }),
  })
}

export async function measureSquad(browser: Browser, server: Server, runs: number): Promise<Measured[]> {
  const [email = ''] = await server.ask('coaches', SQUAD)
  const localStorage = Object.entries(storedCredentials(await server.credentialsOf(email))).map(([name, value]) => ({ name, value }))
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(actions).map((name) => [name, []]))
  const slowest: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const context = await browser.newContext({
      ...layouts.wide,
      locale: 'en-GB',
      storageState: { cookies: [], origins: [{ origin: server.address, localStorage }] },
    })
    try {
      const page = await context.newPage()
      await page.addInitScript(installClock)
      await page.goto(server.address + paths.home())
      await page.getByRole('rowheader').first().waitFor()
      await delay(3000)
      await slowDown(page, { isNetworkSlow: false })
      const own: number[] = []
      for (const [name, act] of Object.entries(actions)) {
        const before = await page.locator('table tbody').first().textContent()
        const moment = page.evaluate(() => (window as unknown as { squad: () => Promise<Moment> }).squad())
        await act(page)
        const { ms, rows } = await moment
        if (rows === before) throw new Error(`${name}: the frame still shows the rows from before`)
        own.push(ms)
        times[name]?.push(ms)
        await delay(BETWEEN_ACTIONS)
      }
      slowest.push(Math.max(...own))
    } finally {
      await context.close()
    }
  }
  return [{ key: 'squad-paint', value: spread(slowest), ours: `${median(slowest).toFixed(1)} ms`, detail: times }]
}

/** Both reads of the dashboard, one after the other. */
export async function timeReads(server: Server, token: string): Promise<number> {
  const started = performance.now()
  for (const { path } of [instancesForCoach.allocated, tokens.list]) {
    const response = await fetch(`${server.address}/api/${path}`, { headers: { authorization: `Bearer ${token}` } })
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    await response.arrayBuffer()
  }
  return performance.now() - started
}

export async function measureSquadReads(files: string, runs: number): Promise<Measured[]> {
  const postgres = await startPostgres()
  const servers: Server[] = []
  try {
    const bearers: string[] = []
    for (const others of [FEW, MANY]) {
      const server = await startProduct(files, { DATABASE_URL: await newDatabase(postgres.url, `others_${others}`) })
      servers.push(server)
      const [email = ''] = await server.ask('coaches', SQUAD)
      await server.ask('coaches', { count: others, ...OTHERS })
      bearers.push((await server.credentialsOf(email)).accessToken)
    }
    const times: number[][] = servers.map(() => [])
    // the first two runs warm up and are not counted
    for (let run = -2; run < runs; run += 1) {
      for (const [at, server] of servers.entries()) {
        const own: number[] = []
        for (let read = 0; read < READS; read += 1) own.push(await timeReads(server, bearers[at] ?? ''))
        if (run >= 0) times[at]?.push(median(own))
      }
    }
    const [few = [], many = []] = times
    const ms = (values: number[]) => `${median(values).toFixed(1)} ms`
    return [
      { key: 'squad-reads', value: pairedRatio(many, few), ours: ms(many), yardstick: `${FEW} others ${ms(few)}`, detail: { few, many } },
    ]
  } finally {
    for (const server of servers) await server.close()
    await postgres.end()
  }
}

async function newDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return url.replace(/\/postgres$/, `/${name}`)
}
