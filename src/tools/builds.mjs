/** The builds, and which of them are missing or older than their sources. Plain JavaScript, as `start.mjs` imports it. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MINIMUM = [22, 19]
export const root = fileURLToPath(new URL('../../', import.meta.url))
/** Of each build, the files and folders that it is made from: a change in any of them builds it anew. */
const sources = JSON.parse(readFileSync(new URL('./build-sources.json', import.meta.url), 'utf8'))

/** Ends the program unless this Node can run the server's TypeScript as it is. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1])) return
  console.error(
    `Touchline needs Node ${MINIMUM.join('.')} or newer; this is ${process.versions.node}.\n` +
      'Run it by `npm start` after `npm ci` without --omit=optional: that brings its own Node 24 on Linux and Windows.\n' +
      'On other systems install Node 24 from https://nodejs.org.',
  )
  process.exit(1)
}

function newest(path) {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  // the folder's own time changes when a file in it is removed
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}

/** Whether a build's page is missing or older than one of its sources. */
function isStale(page, madeFrom) {
  const built = join(root, page)
  if (!existsSync(built)) return true
  const time = statSync(built).mtimeMs
  return madeFrom.some((source) => existsSync(join(root, source)) && newest(join(root, source)) > time)
}

// tests that run this have another NODE_ENV, which would build for development, against the security policy
const forProduction = { ...process.env, NODE_ENV: 'production' }

/** Runs a tool of this repository with this Node; rejects if it fails. */
function run(args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', ...options })
    const stop = () => child.kill('SIGTERM')
    process.once('SIGTERM', stop)
    child.once('error', reject)
    child.once('exit', (code) => {
      process.removeListener('SIGTERM', stop)
      if (code === 0) resolve()
      else reject(new Error(`${args.join(' ')} ended with ${code}`))
    })
  })
}

/** Builds the city lists, the portal and, for a demo, the gallery, each only if it is missing or older than its sources. */
export async function buildStale() {
  const { makeCities } = await import('./cities.ts')
  await makeCities()
  if (isStale('dist/index.html', sources.portal)) await buildPortal()
  if (process.env.TOUCHLINE_MODE !== 'production' && isStale('.cache/gallery/src/gallery/gallery.html', sources.gallery)) {
    await run(['node_modules/vite/bin/vite.js', 'build', '-c', 'src/tools/gallery.config.ts'], { env: forProduction })
  }
}

/** Builds the questionnaire's texts, the portal, and its compressed copies. */
export async function buildPortal() {
  const { makeContentFiles } = await import('./content-files.ts')
  await makeContentFiles()
  await run(['node_modules/vite/bin/vite.js', 'build'], { env: forProduction })
  const { precompress } = await import('./precompress.ts')
  await precompress()
}
