import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { freePort } from '#tests/support/free-port.ts'

/** Builds the image of the Dockerfile and runs it: with Docker, or where no engine runs with buildah and podman. */

const call = promisify(execFile)
const OUTPUT_MAXIMUM = 64 * 1024 * 1024

async function output(command: string, ...args: string[]): Promise<string> {
  const { stdout } = await call(command, args, { maxBuffer: OUTPUT_MAXIMUM })
  return stdout.trim()
}

const succeeds = (command: string, ...args: string[]) =>
  call(command, args).then(
    () => true,
    () => false,
  )

const IMAGE = 'touchline:test'
const hasDocker = await succeeds('docker', 'info')

/** Whether images can be built and run here. */
export const canRun =
  hasDocker || (process.getuid?.() === 0 && (await succeeds('buildah', '--version')) && (await succeeds('podman', '--version')))

const client = hasDocker ? 'docker' : 'podman'
// a machine that is itself confined lets podman neither raise limits nor make groups of a newer kind
const runsHere = hasDocker ? [] : ['--runtime', 'runc']
const limits = hasDocker ? [] : ['--ulimit', 'nofile=10000:10000', '--ulimit', 'nproc=4096:4096']

/** Builds the image from this checkout, where images cannot be pulled on bases made of Debian's packages. */
export async function build(): Promise<void> {
  if (hasDocker) return inherit('docker', 'build', '--tag', IMAGE, '.')
  const hasBases = (await succeeds('buildah', 'inspect', 'touchline-base')) && (await succeeds('buildah', 'inspect', 'touchline-builder'))
  if (!hasBases) await inherit('.ci/image-bases')
  const bases = ['BUILDER=localhost/touchline-builder', 'BASE=localhost/touchline-base'].flatMap((one) => ['--build-arg', one])
  // an older buildah would make the stages that are not used, too
  const target = ['--target', 'product']
  await inherit(
    'buildah',
    'bud',
    '--quiet',
    '--layers',
    '--format',
    'docker',
    '--isolation',
    'chroot',
    ...bases,
    ...target,
    '--tag',
    IMAGE,
    '.',
  )
}

async function inherit(command: string, ...args: string[]): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${command} ${args[0]} ended with ${code}`)
}

/** Bytes of all its files. */
export async function sizeOf(): Promise<number> {
  return Number(await output(client, 'image', 'inspect', '--format', '{{.Size}}', IMAGE))
}

/** Every file of the image, by its path. */
export async function filesOf(): Promise<string[]> {
  const container = await output(client, 'create', IMAGE)
  try {
    return (await output('sh', '-c', `${client} export ${container} | tar --list`)).split('\n')
  } finally {
    await output(client, 'rm', container)
  }
}

export interface Container {
  address: string
  port: number
  /** milliseconds from its start until it accepted calls */
  startedIn: number
  /** Runs the health check of the image in it, and resolves to whether it is healthy. */
  isHealthy: () => Promise<boolean>
  /** Runs a program in it. */
  exec: (...command: string[]) => Promise<string>
  signal: (name: string) => Promise<unknown>
  /** resolves to its exit code once it has ended */
  exited: () => Promise<number>
  log: () => Promise<string>
  remove: () => Promise<unknown>
}

/** Starts the image with nothing writable and no capability, in the network of this machine. */
export async function run(settings: Record<string, string>): Promise<Container> {
  const port = await freePort()
  const env = Object.entries({ ...settings, PORT: String(port), HOST: '127.0.0.1' }).flatMap(([name, value]) => [
    '--env',
    `${name}=${value}`,
  ])
  const begun = performance.now()
  const id = await output(
    client,
    ...[...runsHere, 'run', '--detach', '--network', 'host', ...limits],
    ...['--read-only', ...(hasDocker ? [] : ['--read-only-tmpfs=false'])],
    ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', ...env, IMAGE],
  )
  const address = `http://127.0.0.1:${port}`
  const container: Container = {
    address,
    port,
    startedIn: 0,
    isHealthy: async () => {
      if (!hasDocker) return succeeds('podman', 'healthcheck', 'run', id)
      let health = 'starting'
      while (health === 'starting') health = await output('docker', 'inspect', '--format', '{{.State.Health.Status}}', id)
      return health === 'healthy'
    },
    exec: (...command) => output(client, ...runsHere, 'exec', id, ...command),
    signal: (name) => output(client, 'kill', '--signal', name, id),
    exited: async () => Number(await output(client, 'wait', id)),
    log: () => call(client, ['logs', id]).then(({ stdout, stderr }) => stdout + stderr),
    remove: () => output(client, ...runsHere, 'rm', '--force', '--volumes', id),
  }
  while (!(await isUp(address))) {
    const isRunning = (await output(client, 'inspect', '--format', '{{.State.Running}}', id)) === 'true'
    if (isRunning) continue
    const log = await container.log()
    await container.remove()
    throw new Error(`the container ended:\n${log}`)
  }
  return { ...container, startedIn: performance.now() - begun }
}

const isUp = (address: string) =>
  fetch(`${address}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  )
