/**
 * `npm run bench [-- --only cold,taps --runs 7]`: the figures of SPEED-1, against yardsticks, interleaved.
 * Everything listens on 127.0.0.1 and ends with this process.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright'
import { measureAuditing } from './auditing.ts'
import { launch } from './browser.ts'
import { measureBytes } from './bytes.ts'
import type { Measured } from './figures.ts'
import { measureFirstQuestion, measureWeakLine } from './first-question.ts'
import { measureIdleCall } from './idle-worker.ts'
import { measureLighthouse } from './lighthouse.ts'
import { machine, tableOf, writeResults } from './report.ts'
import { measureServer } from './saving.ts'
import { copyOfBuild, startProduct, startSites, type Server, type Sites } from './sites.ts'
import { measureSquad, measureSquadReads } from './squad.ts'
import { measureStarting } from './starting.ts'
import { measureTaps } from './tapping.ts'

interface Bench {
  browser: Browser
  files: string
  server: Server
  sites: Sites
  runs: number
}

// with more processes waiting for a processor, the ratios depend on the scheduler
const BUSY = 1

/** By the names `--only` takes, in the order they run. */
const families: Record<string, (bench: Bench) => Promise<Measured[]>> = {
  bytes: ({ browser, sites, files }) => measureBytes(browser, sites, files),
  cold: ({ browser, sites, runs }) => measureFirstQuestion(browser, sites, 'cold', runs),
  offline: ({ browser, sites, runs }) => measureFirstQuestion(browser, sites, 'offline', runs),
  'idle-worker': ({ browser, sites, runs }) => measureIdleCall(browser, sites, runs),
  'weak-line': ({ browser, sites, runs }) => measureWeakLine(browser, sites, runs),
  'taps-wide': ({ browser, sites, runs }) => measureTaps(browser, sites, 'wide', runs),
  'taps-phone': ({ browser, sites, runs }) => measureTaps(browser, sites, 'phone', runs),
  lighthouse: ({ server, runs }) => measureLighthouse(server, runs),
  saving: ({ files, runs }) => measureServer(files, runs),
  auditing: ({ runs }) => measureAuditing(runs),
  'squad-paint': ({ browser, server, runs }) => measureSquad(browser, server, runs),
  'squad-reads': ({ files, runs }) => measureSquadReads(files, runs),
  starting: ({ runs }) => measureStarting(runs),
}

async function run(names: readonly string[], runs: number): Promise<boolean> {
  // plain JavaScript, so that an old Node can read it (OPERATE-8)
  const { buildStale } = (await import(new URL('../../src/tools/builds.mjs', import.meta.url).href)) as {
    buildStale: () => Promise<void>
  }
  await buildStale()
  const files = await copyOfBuild()
  const server = await startProduct(files)
  const browser = await launch()
  const rows: Measured[] = []
  const [busyAtStart = 0] = loadavg()
  const at = new Date().toISOString()
  let file = ''
  let isWhole = true
  try {
    console.log(`${machine()}, Chromium ${browser.version()}; medians of ${runs}, in brackets p10–p90`)
    if (busyAtStart > BUSY) console.log(`The machine is busy with other things (load ${busyAtStart.toFixed(1)}): see docs/performance.md.`)
    const sites = await startSites(server)
    for (const name of names) {
      const started = performance.now()
      try {
        rows.push(...((await families[name]?.({ browser, files, server, sites, runs })) ?? []))
      } catch (error) {
        // the other families are still measured if one fails
        isWhole = false
        console.error(`${name} could not be measured:`, error)
      }
      console.log(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`)
      // written after each family, so that a later failure loses nothing
      file = await writeResults(rows, { at, runs, browser: browser.version(), busyAtStart })
    }
    console.log(`\n${tableOf(rows)}\n\n${file}`)
  } finally {
    await browser.close()
    await server.close()
  }
  return isWhole
}

const { values } = parseArgs({ options: { only: { type: 'string' }, runs: { type: 'string', default: '7' } } })
const wanted = values.only?.split(',') ?? Object.keys(families)
// `taps` means every family whose name begins with it
const isMeant = (name: string, given: string) => name === given || name.startsWith(`${given}-`)
const names = Object.keys(families).filter((name) => wanted.some((given) => isMeant(name, given)))
const unknown = wanted.filter((given) => !names.some((name) => isMeant(name, given)))
const runs = Number(values.runs)
if (unknown.length > 0 || !Number.isInteger(runs) || runs < 1) {
  console.error(`--only takes ${Object.keys(families).join(', ')}; --runs a number.`)
  process.exit(1)
}
process.exitCode = (await run(names, runs)) ? 0 : 1
