import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The key with which a mail server reports bounced mail. */
const BOUNCE_KEY = 'bounces-of-the-journeys-0123456789abcdef'

export const root = fileURLToPath(new URL('../../', import.meta.url))

interface StartOptions {
  seeded?: string | undefined
  program?: string
  settings?: Record<string, string>
}

/** The product as its users start it, in a process of its own that can be killed. */
export class ProductServer {
  readonly url: string
  #port: number
  #folder: string
  #process: ChildProcess | undefined
  #said = ''
  #program: string
  #settings: Record<string, string>

  private constructor(port: number, folder: string, program: string, settings: Record<string, string>) {
    this.#port = port
    this.#folder = folder
    this.#program = program
    this.#settings = settings
    this.url = `http://127.0.0.1:${port}`
  }

  /**
   * @param seeded a data folder to copy, which is quicker than making one
   * @param program another copy of the repository
   * @param settings besides the journeys' own
   */
  static async start({ seeded, program = root, settings = {} }: StartOptions = {}): Promise<ProductServer> {
    const folder = await mkdtemp(join(tmpdir(), 'touchline-e2e-'))
    if (seeded !== undefined) await cp(seeded, folder, { recursive: true })
    for (let tries = 1; ; tries += 1) {
      const server = new ProductServer(await freePort(), folder, program, settings)
      try {
        await server.restart()
        return server
      } catch (failure) {
        // another program took the free port first
        if (tries === 3 || !String(failure).includes('is in use')) throw failure
      }
    }
  }

  /** Kills it as a power cut would: nothing is finished. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Starts again on the same data and the same port. */
  async restart(): Promise<void> {
    await this.kill()
    const child = spawn(process.execPath, ['src/server/main.ts'], {
      cwd: this.#program,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        NODE_ENV: 'production',
        PORT: String(this.#port),
        PUBLIC_URL: this.url,
        DATA_DIR: this.#folder,
        LOG_LEVEL: 'warn',
        MAIL_BOUNCE_KEY: BOUNCE_KEY,
        // as `npm start` does
        NODE_COMPILE_CACHE: join(this.#program, '.cache/compile'),
        // all journeys come from one address
        STARTS_PER_HOUR_PER_ADDRESS: '100000',
        VERIFIES_PER_HOUR_PER_ADDRESS: '100000',
        ...this.#settings,
      },
    })
    this.#process = child
    const end = () => child.kill('SIGKILL')
    process.once('exit', end)
    child.once('exit', () => process.off('exit', end))
    await this.#untilListening(child)
  }

  /** Takes a backup; resolves to a function that restores it, as an operator does after a disaster. */
  async backUp(): Promise<() => Promise<void>> {
    const copy = await mkdtemp(join(tmpdir(), 'touchline-backup-'))
    await this.#end('SIGTERM')
    await cp(this.#folder, copy, { recursive: true })
    await this.restart()
    return async () => {
      await this.#end('SIGTERM')
      await rm(this.#folder, { recursive: true, force: true })
      await cp(copy, this.#folder, { recursive: true })
      await rm(copy, { recursive: true, force: true })
      await this.restart()
    }
  }

  /** The key of whoever runs it, which it made at its first start. */
  async operatorKey(): Promise<string> {
    const keys = JSON.parse(await readFile(join(this.#folder, 'keys.json'), 'utf8')) as { operatorKey: string } // our own file
    return keys.operatorKey
  }

  /** Another mail server reports that it has no such mailbox, after ours had accepted the mail. */
  async comesBack(mailId: string): Promise<void> {
    // a Message-ID has no digits
    const messageId = mailId.replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))
    await fetch(`${this.url}/api/mail/bounce`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${BOUNCE_KEY}` },
      body: JSON.stringify({ messageId, status: '5.1.1', diagnostic: 'smtp; 550 5.1.1 No such mailbox' }),
    })
  }

  /** Stops as at a deployment; resolves to its data folder. */
  async close(): Promise<string> {
    await this.#end('SIGTERM')
    return this.#folder
  }

  /** Stops and removes its data. */
  async throwAway(): Promise<void> {
    await this.kill()
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#process
    this.#process = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
  }

  #untilListening(child: ChildProcess): Promise<void> {
    return new Promise((resolve, reject) => {
      const hear = (chunk: unknown) => {
        this.#said += String(chunk)
        if (this.#said.includes('Touchline listens')) resolve()
      }
      this.#said = ''
      child.stdout?.on('data', hear)
      child.stderr?.on('data', hear)
      child.on('exit', () => reject(new Error(`The server ended: ${this.#said}`)))
    })
  }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // listening on a port, never on a pipe
  server.close()
  await once(server, 'close')
  return port
}
