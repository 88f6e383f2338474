import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { makeCities } from './cities.ts'
import { endWithNpm } from './end-with-npm.ts'

/** `npm run dev`: the server, restarted when its files change, and Vite's own, which proxies the API. */

const root = fileURLToPath(new URL('../../', import.meta.url))
const { PORT = '3000', PORTAL_PORT = '5173' } = process.env
const API = `http://localhost:${PORT}`
const PORTAL = `http://localhost:${PORTAL_PORT}`
// longer than the server takes to finish its running calls
const STOP_TIMEOUT_MS = 16_000

/** Exits if a port is in use: Vite would proxy calls to whatever program listens there. */
async function requireFree(setting: string, port: string): Promise<void> {
  const server = createServer()
  try {
    server.listen(Number(port), 'localhost')
    await once(server, 'listening')
  } catch {
    console.error(`${setting}: ${port} is in use by another program. Stop it, or choose another ${setting}.`)
    process.exit(1)
  }
  server.close()
  await once(server, 'close')
}

function run(args: string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
}

await requireFree('PORT', PORT)
await requireFree('PORTAL_PORT', PORTAL_PORT)
await makeCities()
const children = [
  // links in mails and returns from payments lead to Vite's portal
  run(
    ['--watch-path=src/server', '--watch-path=src/sandbox', '--watch-path=src/contract', '--watch-preserve-output', 'src/server/main.ts'],
    {
      PORT,
      PUBLIC_URL: PORTAL,
    },
  ),
  run(['node_modules/vite/bin/vite.js', '--strictPort', '--port', PORTAL_PORT], { DEV_API_URL: API }),
]

let isStopping = false

function stop(): void {
  if (isStopping) return
  isStopping = true
  for (const child of children) child.kill('SIGTERM')
  const killing = setTimeout(() => children.forEach((child) => child.kill('SIGKILL')), STOP_TIMEOUT_MS)
  killing.unref()
}
for (const child of children) {
  child.once('exit', (code) => {
    stop()
    process.exitCode = code ?? 0
  })
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
endWithNpm()
