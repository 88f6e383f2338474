/**
 * `npm run chaos [-- --scale 0.01 --only screens,phones]`: the figures of docs/reliability.md about answers, one after the other. Whole, it
 * takes the better part of a day; `--scale` runs that part of each number. What does not run is printed as such.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

interface Part {
  what: string
  whole: number
  /** what runs it, and the environment that makes it run `count` times */
  command: string[]
  env: (count: number, first: number) => Record<string, number | string>
  /** how many one process runs, where its memory or a limit bounds that */
  portion?: number
}

const vitest = (project: string, file: string, ...more: string[]) => [
  'vitest',
  'run',
  file,
  '--project',
  project,
  '--reporter=dot',
  ...more,
]

/** tests of the simulation, each with its own histories */
const TESTS_IN_MEMORY = 17

const PARTS: Record<string, Part> = {
  memory: {
    what: 'histories in memory',
    whole: 1_000_000,
    command: vitest('pure', 'tests/chaos/answers-simulation'),
    env: (count) => ({ SEEDS: Math.ceil(count / TESTS_IN_MEMORY) }),
  },
  stores: {
    what: 'histories on the real stores, half of them on each engine',
    whole: 10_000,
    command: vitest('server', 'tests/chaos/real-stores'),
    // so that a failure does not lose the runs before it
    portion: 1000,
    // a quarter more are of a restored backup
    env: (count, first) => ({ HISTORIES: Math.ceil(count / 2 / 1.25), FIRST_SEED: first }),
  },
  browsers: {
    what: 'kills of a browser',
    whole: 300,
    command: ['playwright', 'test', '-c', 'e2e/playwright.config.ts', 'e2e/browser-kills.e2e.ts', '--reporter=line'],
    env: (count) => ({ BROWSER_KILLS: count }),
  },
  ready: {
    what: 'devices that lost something at random, and what “ready for no signal” says of them',
    whole: 300,
    command: ['playwright', 'test', '-c', 'e2e/playwright.config.ts', 'e2e/ready-is-true.e2e.ts', '--reporter=line'],
    env: (count) => ({ READY_TRIES: count }),
  },
  servers: {
    what: 'kills of a server',
    whole: 300,
    command: vitest('server', 'tests/chaos/server-kills'),
    // each start counts a new thirtieth of what an account may send in ten minutes
    portion: 25,
    env: (count, first) => ({ SERVER_KILLS: count, SEED: first }),
  },
  failovers: {
    what: 'rounds in which another node of the database takes the lead (needs Debian’s patroni, etcd-server, haproxy and postgresql)',
    whole: 25,
    command: vitest('server', 'tests/chaos/failover'),
    env: (count) => ({ FAILOVERS: count }),
  },
  screens: {
    what: 'models of the screens',
    whole: 10_000,
    command: vitest('pure', 'tests/chaos/screens', '-t', 'lose no answer'),
    // each page has a window of its own: a process with so many grows to some 4 GB
    portion: 200,
    env: (count, first) => ({ SCREEN_MODELS: count, FIRST_SEED: first }),
  },
  phones: {
    what: 'phones that come back at once',
    whole: 1000,
    command: vitest('pure', 'tests/chaos/screens', '-t', 'phones that wait'),
    env: (count) => ({ PHONES: count }),
  },
}

const { values } = parseArgs({ options: { scale: { type: 'string', default: '1' }, only: { type: 'string' } } })
const scale = Number(values.scale)
const only = values.only?.split(',')
const unknown = only?.filter((name) => !(name in PARTS)) ?? []
if (!(scale > 0) || unknown.length > 0)
  throw new Error(`there is no ${unknown.join() || 'such scale'}; the parts are ${Object.keys(PARTS).join()}`)

const lines: string[] = []
for (const [name, { what, whole, command, env, portion = Infinity }] of Object.entries(PARTS)) {
  if (only && !only.includes(name)) {
    lines.push(`${name}: not run (${whole} ${what})`)
    continue
  }
  const count = Math.max(Math.ceil(whole * scale), 1)
  const began = performance.now()
  const [program = '', ...rest] = command
  let done = 0
  while (done < count) {
    const next = Math.min(portion, count - done)
    const given = Object.fromEntries(Object.entries(env(next, done + 1)).map(([key, value]) => [key, String(value)]))
    const { status } = spawnSync(`node_modules/.bin/${program}`, rest, { stdio: 'inherit', env: { ...process.env, ...given } })
    if (status !== 0) break
    done += next
  }
  const seconds = Math.round((performance.now() - began) / 1000)
  lines.push(`${name}: ${done === count ? 'no loss' : `FAILED after ${done}`}, ${count} of ${whole} ${what}, ${seconds} s`)
  if (done < count) process.exitCode = 1
}
console.log(lines.join('\n'))
