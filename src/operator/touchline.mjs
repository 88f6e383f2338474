#!/usr/bin/env -S node --
/**
 * `npx touchline <command>`: the operator's tool. Plain JavaScript, because the Node that starts it may be too old to run TypeScript;
 * then it goes on with the Node that npm installed here. `--` above: Node ends in words of its own for an --env-file that is not there.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const MINIMUM = [22, 19]
const installed = fileURLToPath(new URL('../../node_modules/node/bin/node', import.meta.url))

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isNewEnough = major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1])

if (isNewEnough) {
  const { resolveLargePackages } = await import('../server/large-packages.ts')
  resolveLargePackages()
  const { run } = await import('./program.ts')
  process.exitCode = await run(process.argv.slice(2))
} else if (existsSync(installed)) {
  const child = spawn(installed, ['--', fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  // or it would go on alone
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  // a terminal sends these to both
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {})
  child.once('exit', (code) => (process.exitCode = code ?? 1))
} else {
  console.error(`Touchline needs Node ${MINIMUM.join('.')} or newer; this is ${process.versions.node}. Run npm ci, or install Node 24.`)
  process.exitCode = 1
}
