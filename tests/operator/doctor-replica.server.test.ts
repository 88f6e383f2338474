import { describe, expect, onTestFinished, test } from 'vitest'
import { examine } from '#operator/doctor/doctor.ts'
import { emptyDatabase, engines } from '#tests/support/databases.ts'
import { freePort } from '#tests/support/free-port.ts'
import { statementIn } from '#tests/support/postgres.ts'
import { replicated } from '#tests/support/replicated.ts'
import { newFolder } from './support.ts'

describe.runIf(engines.includes('postgres'))('a read replica', () => {
  test('is well if it follows the same database, for a user without rights as well; anything else is named', async () => {
    const pair = await replicated()
    onTestFinished(pair.remove)
    await statementIn(pair.primary.url, 'create role club login; grant create on schema public to club')
    const ofClub = (url: string) => url.replace('postgres@', 'club@')
    const said = async (replica: string) => {
      const settings = { DATABASE_URL: ofClub(pair.primary.url), READ_DATABASE_URL: replica, DATA_DIR: await newFolder() }
      return (await examine({ environment: settings, print: () => {}, warn: () => {}, now: () => new Date() })).filter(
        ({ setting }) => setting === 'READ_DATABASE_URL',
      )
    }
    const standby = ofClub(pair.standby.url)
    await expect
      .poll(() => said(standby), { timeout: 30_000 })
      .toEqual([{ level: 'ok', setting: 'READ_DATABASE_URL', message: expect.stringContaining('keeps up') }])
    const { location, drop } = await emptyDatabase('postgres')
    onTestFinished(drop)
    for (const [replica, level, reason] of [
      [ofClub(pair.primary.url), 'error', 'is DATABASE_URL: name a standby'],
      [pair.primary.url, 'error', 'it takes writes itself'],
      ['url' in location ? location.url : '', 'error', 'it takes writes itself'],
      [
        `postgres://club@127.0.0.1:${await freePort()}/postgres`,
        'error',
        'It cannot be asked, so reads come from DATABASE_URL: connect ECONNREFUSED',
      ],
      [standby.replace('/postgres', '/nothing'), 'error', 'database "nothing" does not exist'],
      [
        standby.replace('/postgres', '/template1'),
        'error',
        'it is a standby of the right server, but of another database: template1, where DATABASE_URL has postgres. Correct the name',
      ],
    ] as const)
      expect(await said(replica)).toEqual([{ level, setting: 'READ_DATABASE_URL', message: expect.stringContaining(reason) }])
    await statementIn(pair.standby.url, 'select pg_wal_replay_pause()')
    await statementIn(pair.primary.url, 'create table more (x int)')
    expect(await said(standby)).toEqual([
      { level: 'warning', setting: 'READ_DATABASE_URL', message: expect.stringContaining('has not got') },
    ])
    const other = await replicated()
    onTestFinished(other.remove)
    expect(await said(other.standby.url)).toEqual([
      { level: 'error', setting: 'READ_DATABASE_URL', message: expect.stringContaining('it is a standby of another server: name') },
    ])
  }, 180_000)
})
