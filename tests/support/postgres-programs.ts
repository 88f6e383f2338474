import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const DEBIAN = '/usr/lib/postgresql'

/** Folder of a PostgreSQL that has pg_dump, pg_restore and psql beside the server, which the one from npm lacks. */
export function postgresWithPrograms(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a)) : []
  const isWhole = (folder: string) =>
    ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'psql'].every((name) => existsSync(join(folder, 'bin', name)))
  return versions.map((version) => join(DEBIAN, version)).find(isWhole)
}
