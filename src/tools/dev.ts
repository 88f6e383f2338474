import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { makeCities } from './cities.ts'

/** `npm run dev`: the server, restarted when its files change, and vite's own with the API behind it. */

const root = fileURLToPath(new URL('../../', import.meta.url))
const API = 'http://localhost:3000'
const PORTAL = 'http://localhost:5173'

function run(args: string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
}

await makeCities()
const children = [
  // links in mails and payment returns lead to the portal as it is being written
  run(['--watch-path=src/server', '--watch-path=src/contract', '--watch-preserve-output', 'src/server/main.ts'], { PUBLIC_URL: PORTAL }),
  run(['node_modules/vite/bin/vite.js', '--strictPort'], { DEV_API_URL: API }),
]

function stop(): void {
  for (const child of children) child.kill('SIGTERM')
}
for (const child of children) {
  child.once('exit', (code) => {
    stop()
    process.exitCode = code ?? 0
  })
}
process.once('SIGINT', stop)
process.once('SIGTERM', stop)
