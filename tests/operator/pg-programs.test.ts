import { readFile, stat } from 'node:fs/promises'
import { getCACertificates } from 'node:tls'
import { expect, test } from 'vitest'
import { withConnection } from '#operator/backup/pg-programs.ts'

/** With what PostgreSQL's programs connect: the database that the server uses, whatever its address has that only Node's driver knows. */

const ALWAYS = 'connect_timeout=10&target_session_attrs=read-write'

test.each([
  ['postgres://tl:p%40w:x@one:1,two:2/club', `postgres://tl@one:1,two:2/club?${ALWAYS}`, 'p@w:x'],
  ['postgres://tl:a@b@one/club', `postgres://tl@one/club?${ALWAYS}`, 'a@b'],
  // the port is no password
  ['postgres://127.0.0.1:5980/club?user=tl', `postgres://127.0.0.1:5980/club?user=tl&${ALWAYS}`, undefined],
  ['postgresql://tl@[::1]:5/club?password=s%20c', `postgresql://tl@[::1]:5/club?${ALWAYS}`, 's c'],
  // a standby may be behind
  ['postgres://tl@one,two/club?target_session_attrs=any', `postgres://tl@one,two/club?${ALWAYS}`, undefined],
  ['postgres://tl@one/club?connect_timeout=3', 'postgres://tl@one/club?connect_timeout=3&target_session_attrs=read-write', undefined],
  [
    'postgres://tl@one/club?options=-c%20timezone%3DUTC&lock_timeout=5000&pgbouncer=true',
    `postgres://tl@one/club?options=-c%20timezone%3DUTC&${ALWAYS}`,
    undefined,
  ],
  ['postgres://tl@one/club?sslmode=no-verify', `postgres://tl@one/club?sslmode=require&${ALWAYS}`, undefined],
])('%s', async (url, address, password) => {
  await withConnection(url, async (connection) => {
    expect(connection.address).toBe(address)
    expect(connection.environment['PGPASSWORD']).toBe(password)
  })
})

test.each(['sslmode=verify-full', 'ssl=true'])('with %s they trust what Node trusts, by a file that is gone afterwards', async (query) => {
  const file = await withConnection(`postgres://tl@one/club?${query}`, async ({ environment }) => {
    const path = environment['PGSSLROOTCERT'] ?? ''
    expect((await readFile(path, 'utf8')).split('BEGIN CERTIFICATE')).toHaveLength(getCACertificates('default').length + 1)
    return path
  })
  await expect(stat(file)).rejects.toThrow('ENOENT')
})
