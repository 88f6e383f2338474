import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '#tests/support/start-server.ts'

/** How often the log speaks of TRUST_PROXY after two calls with or without X-Forwarded-For. */
async function timesLogged(trustProxy: string | undefined, headers: Record<string, string>, path = '/api/settings'): Promise<number> {
  const lines: string[] = []
  const env = trustProxy === undefined ? {} : { TRUST_PROXY: trustProxy }
  const server = await startServer({ env: { LOG_LEVEL: 'warn', ...env }, logTo: { write: (line) => lines.push(line) } })
  onTestFinished(server.close)
  for (const _ of [1, 2]) await fetch(server.address + path, { headers })
  return lines.filter((line) => line.includes('TRUST_PROXY')).length
}

const FORWARDED = { 'x-forwarded-for': '203.0.113.7' }

test('a proxy that does not say whom calls are from is logged once; its own probes are not', async () => {
  expect(await timesLogged('127.0.0.1', {})).toBe(1)
  for (const path of ['/readyz', '/livez', '/api/health']) expect(await timesLogged('127.0.0.1', {}, path)).toBe(0)
})

test('a proxy that TRUST_PROXY does not name is logged once, and no other', async () => {
  expect(await timesLogged('192.0.2.9', FORWARDED)).toBe(1)
  expect(await timesLogged(undefined, FORWARDED)).toBe(1)
  expect(await timesLogged('127.0.0.1', FORWARDED)).toBe(0)
  expect(await timesLogged(undefined, {})).toBe(0)
})
