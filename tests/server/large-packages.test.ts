import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Packages that list some hundreds of exports are loaded without parsing the list for each of their files. docs/decisions/0062 */

const LOADED = `
  const { resolveLargePackages } = await import('./src/server/large-packages.ts')
  resolveLargePackages()
  const before = process.memoryUsage.rss()
  for (const name of ['drizzle-orm/pg-core', 'drizzle-orm/node-postgres', 'drizzle-orm/pglite', 'date-fns/format', 'date-fns/locale/fr']) await import(name)
  console.log((process.memoryUsage.rss() - before) / 1e6)`

test('drizzle-orm and date-fns take less than 60 MB to load, of 250 without', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', LOADED], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(Number(stdout)).toBeGreaterThan(0)
  expect(Number(stdout)).toBeLessThan(60)
})
