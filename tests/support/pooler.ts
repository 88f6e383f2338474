import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from './free-port.ts'

/** pgbouncer, if it is installed on this machine. */
export const PGBOUNCER = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path))

interface Pooler {
  port: number
  end: () => Promise<void>
}

/** pgbouncer in front of a cluster: each transaction gets another session than the one before, if possible. */
export async function startPooler(clusterPort: number, settings: string[] = []): Promise<Pooler> {
  if (PGBOUNCER === undefined) throw new Error('pgbouncer is not installed on this machine')
  const folder = await mkdtemp(join(tmpdir(), 'touchline-pooler-'))
  await chmod(folder, 0o755)
  const port = await freePort()
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${clusterPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${join(folder, 'users.txt')}`,
    'pool_mode = transaction',
    'default_pool_size = 6',
    'server_round_robin = 1',
    'max_client_conn = 2000',
    ...settings,
  ]
  await writeFile(join(folder, 'users.txt'), '"postgres" ""\n')
  await writeFile(join(folder, 'pgbouncer.ini'), lines.join('\n'))
  const as = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const pooler = spawn(PGBOUNCER, [join(folder, 'pgbouncer.ini')], { ...as, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  pooler.stderr.on('data', (chunk) => (said = (said + String(chunk)).slice(-10_000)))
  const ended = once(pooler, 'exit')
  const isUp = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
  while (!(await isUp())) {
    if (pooler.exitCode !== null || pooler.signalCode !== null) throw new Error(`pgbouncer ended: ${said}`)
    await delay(20)
  }
  return {
    port,
    end: async () => {
      pooler.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
