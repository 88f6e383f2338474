import type { TestProject } from 'vitest/node'
import startEngines from '../support/engines.ts'

/** Real PostgreSQL for the length of a measurement, the one of the tests. Its fsync is off, so that the disk hides nothing of the program. */
export async function startPostgres(): Promise<{ url: string; end: () => Promise<void> }> {
  let url: string | null = null
  const provide = (name: string, value: string | null) => {
    if (name === 'postgresUrl') url = value
  }
  const end = await startEngines({ provide } as unknown as TestProject) // it provides, and nothing else
  if (url === null) throw new Error('no PostgreSQL binaries are installed for this machine')
  return { url, end }
}
