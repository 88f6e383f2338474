import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { freePort } from '#tests/support/free-port.ts'
import { linkTo, type Link } from './link.ts'
import { failoverPrograms } from './programs.ts'

/** Three nodes of PostgreSQL under Patroni, an etcd, and HAProxy, which leads to the node that takes writes. */

// PostgreSQL refuses to run as root
const NOBODY = 65_534
const as = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
const NODES = ['node1', 'node2', 'node3']
/** Another node takes over when the leader has not been heard of for `ttl` seconds, the least that Patroni accepts. */
const PATRONI = { ttl: 20, loop_wait: 5, retry_timeout: 7 }
const TIMEOUT_MS = 180_000

export interface Node {
  name: string
  /** its own address of PostgreSQL, past HAProxy */
  url: string
  /** Starts Patroni, which starts PostgreSQL, or finds it running. */
  start: () => void
  /** SIGKILL to Patroni and to all processes of PostgreSQL, as when the machine loses its power */
  kill: () => Promise<void>
  /** SIGKILL to Patroni alone: PostgreSQL goes on, and nobody watches it. */
  killPatroni: () => Promise<void>
  /** suspends all of its processes, as a machine that hangs */
  freeze: () => Promise<void>
  thaw: () => Promise<void>
  /** cuts it off from etcd, HAProxy and the other nodes */
  cut: () => void
  restore: () => void
}

export interface FailoverCluster {
  /** where HAProxy listens */
  url: string
  /** all nodes by name, past HAProxy */
  hostsUrl: string
  nodes: Node[]
  /** The node whose etcd key says that it leads; undefined while none does. */
  leader: () => Promise<Node | undefined>
  /** Asks Patroni to hand the lead over. */
  switchOver: () => Promise<void>
  /** Resolves once one node leads, the two others follow, and one of them is synchronous. */
  waitUntilHealthy: () => Promise<void>
}

/** As Patroni's GET /cluster says it. */
interface Member {
  name: string
  role: string
  state: string
  lag?: number | string
  timeline?: number
}

interface Machine {
  node: Node
  rest: number
  lines: Link[]
}

/** Starts them for the running test, at whose end they are removed. */
export async function startCluster(): Promise<FailoverCluster> {
  const programs = failoverPrograms()
  if (programs === undefined) throw new Error('not installed here: apt-get install patroni etcd-server haproxy postgresql')
  const folder = await mkdtemp(join(tmpdir(), 'touchline-failover-'))
  await chmod(folder, 0o755)
  const started: ChildProcess[] = []

  /** Its output goes to a file in the folder. */
  function run(program: string, parameters: string[], name: string): ChildProcess {
    const log = openSync(join(folder, `${name}.log`), 'a')
    const env = { PATH: process.env['PATH'], HOME: join(folder, name), LANG: 'C.UTF-8' }
    const child = spawn(program, parameters, { ...as, cwd: join(folder, name), env, stdio: ['ignore', log, log] })
    started.push(child)
    return child
  }
  const home = async (name: string) => {
    await mkdir(join(folder, name), { mode: 0o700 })
    if (as.uid !== undefined) await chown(join(folder, name), as.uid, as.uid)
    return join(folder, name)
  }

  const [client, peer] = [await freePort(), await freePort()]
  const [clients, peers] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`]
  const etcdHome = await home('etcd')
  const etcd = ['--data-dir', join(etcdHome, 'data'), '--listen-client-urls', clients, '--advertise-client-urls', clients]
  run(
    programs.etcd,
    [...etcd, '--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers, '--initial-cluster', `default=${peers}`],
    'etcd',
  )
  await until('etcd', () => isOk(`${clients}/health`))

  const machines: Machine[] = []
  for (const name of NODES) {
    const [data, ports] = [join(await home(name), 'data'), { postgres: await freePort(), rest: await freePort() }]
    const lines = { postgres: await linkTo(ports.postgres), rest: await linkTo(ports.rest), etcd: await linkTo(client) }
    const config = join(folder, `${name}.json`)
    // JSON is YAML
    await writeFile(config, JSON.stringify(patroniOf({ name, data, ports, lines, bin: programs.postgres, home: join(folder, name) })))
    let patroni: ChildProcess | undefined
    const postgres = () => processesOf(data)
    const running = () => (patroni !== undefined && patroni.exitCode === null && patroni.signalCode === null ? patroni : undefined)
    const all = async () => [running()?.pid ?? [], await postgres()].flat()
    const killPatroni = async () => {
      const patroni = running()
      if (patroni === undefined) return
      const gone = once(patroni, 'exit')
      patroni.kill('SIGKILL')
      await gone
    }
    const node: Node = {
      name,
      url: `postgres://postgres@127.0.0.1:${ports.postgres}/postgres`,
      start: () => (patroni = run(programs.patroni, [config], name)),
      killPatroni,
      kill: async () => {
        const pids = await postgres()
        await killPatroni()
        signalAll(pids, 'SIGKILL')
      },
      freeze: async () => signalAll(await all(), 'SIGSTOP'),
      thaw: async () => signalAll((await all()).toReversed(), 'SIGCONT'),
      cut: () => Object.values(lines).forEach((line) => line.cut()),
      restore: () => Object.values(lines).forEach((line) => line.restore()),
    }
    machines.push({ node, rest: ports.rest, lines: Object.values(lines) })
  }

  const entry = await freePort()
  await home('haproxy')
  const servers = machines.map(({ node, lines }) => `  server ${node.name} 127.0.0.1:${lines[0]?.port} check port ${lines[1]?.port}`)
  await writeFile(join(folder, 'haproxy.cfg'), await haproxyOf(entry, servers))

  const leader = async () => {
    const key = Buffer.from('/service/touchline/leader').toString('base64')
    const reply = await fetch(`${clients}/v3/kv/range`, { method: 'POST', body: JSON.stringify({ key }) })
    const { kvs = [] } = (await reply.json()) as { kvs?: { value: string }[] }
    const name = Buffer.from(kvs[0]?.value ?? '', 'base64').toString()
    return machines.find(({ node }) => node.name === name)
  }
  const isHealthy = async () => {
    const leading = await leader()
    if (leading === undefined) return false
    // a node that is frozen may not end its reply
    const { members = [] } = await fetch(`http://127.0.0.1:${leading.rest}/cluster`, { signal: AbortSignal.timeout(2000) })
      .then((reply) => reply.json() as Promise<{ members?: Member[] }>)
      .catch((): { members?: Member[] } => ({}))
    const timelines = new Set(members.map(({ timeline }) => timeline))
    const roles = members.flatMap(({ role, state }) => (['running', 'streaming'].includes(state) ? role : []))
    return timelines.size === 1 && roles.toSorted().join() === 'leader,replica,sync_standby'
  }

  const remove = async () => {
    for (const { node } of machines) {
      await node.thaw()
      await node.kill()
    }
    for (const child of started) child.kill('SIGKILL')
    for (const { lines } of machines) for (const line of lines) await line.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  onTestFinished(remove, 60_000)

  // the first one makes the database, so that each run begins alike
  machines[0]?.node.start()
  await until('the first node', async () => (await leader()) !== undefined)
  for (const { node } of machines.slice(1)) node.start()
  await until('three nodes', isHealthy)
  run(programs.haproxy, ['-db', '-f', join(folder, 'haproxy.cfg')], 'haproxy')

  return {
    url: `postgres://postgres@127.0.0.1:${entry}/postgres`,
    hostsUrl: `postgres://postgres@${machines.map(({ lines }) => `127.0.0.1:${lines[0]?.port}`).join()}/postgres`,
    nodes: machines.map(({ node }) => node),
    leader: async () => (await leader())?.node,
    switchOver: async () => {
      const { node, rest } = (await leader()) ?? {}
      const reply = await fetch(`http://127.0.0.1:${rest}/switchover`, { method: 'POST', body: JSON.stringify({ leader: node?.name }) })
      if (reply.status !== 200) throw new Error(`no switchover: ${reply.status} ${await reply.text()}`)
    },
    waitUntilHealthy: () => until('three nodes', isHealthy),
  }

  async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + TIMEOUT_MS
    while (!(await condition())) {
      if (performance.now() > end) throw new Error(`${what}: not there after ${TIMEOUT_MS / 1000} s; the logs are in ${folder}`)
      await delay(100)
    }
  }
}

/** The file that docs/operations.md gives, with the addresses of this machine. */
async function haproxyOf(port: number, servers: readonly string[]): Promise<string> {
  const lines = (await readFile('docs/deploy/haproxy.cfg', 'utf8')).trim().split('\n')
  const kept = lines.filter((line) => !/^ +(?:bind|server) /.test(line))
  if (lines.length - kept.length !== 1 + NODES.length)
    throw new Error('docs/deploy/haproxy.cfg does not have one address and three servers')
  return [...kept, `  bind 127.0.0.1:${port}`, ...servers, ''].join('\n')
}

interface Settings {
  name: string
  home: string
  data: string
  bin: string
  ports: { postgres: number; rest: number }
  lines: { postgres: Link; rest: Link; etcd: Link }
}

function patroniOf({ name, home, data, bin, ports, lines }: Settings) {
  const hosts = ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust']
  return {
    scope: 'touchline',
    name,
    restapi: { listen: `127.0.0.1:${ports.rest}`, connect_address: `127.0.0.1:${lines.rest.port}` },
    // as a proxy, so that it does not learn etcd's own address and bypass the link
    etcd3: { host: `127.0.0.1:${lines.etcd.port}`, use_proxies: true },
    bootstrap: {
      dcs: {
        ...PATRONI,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, wal_log_hints: 'on', wal_keep_size: '512MB' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { auth: 'trust' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${ports.postgres}`,
      connect_address: `127.0.0.1:${lines.postgres.port}`,
      data_dir: data,
      bin_dir: bin,
      pgpass: join(home, 'pgpass'),
      pg_hba: hosts,
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'postgres' } },
      parameters: { unix_socket_directories: '' },
    },
  }
}

/** The main process of a running PostgreSQL comes first, because it starts no others once it is suspended. */
async function processesOf(data: string): Promise<number[]> {
  const main = Number((await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0])
  // the file of one that was killed names a process that may be another by now
  const command = await readFile(`/proc/${main}/cmdline`, 'utf8').catch(() => '')
  if (!command.includes(data)) return []
  const children = await readFile(`/proc/${main}/task/${main}/children`, 'utf8').catch(() => undefined)
  return children === undefined ? [] : [main, ...children.split(' ').filter(Boolean).map(Number)]
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // it has just ended
    }
  }
}

async function isOk(url: string): Promise<boolean> {
  return (await fetch(url).catch(() => undefined))?.ok === true
}
