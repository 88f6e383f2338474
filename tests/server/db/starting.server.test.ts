import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/db/open.ts'
import { addressesOf } from '#server/db/connect.ts'
import { freePort } from '#tests/support/free-port.ts'
import { ownCluster } from '#tests/support/own-cluster.ts'
import { relayTo } from '#tests/support/relay.ts'
import { emptyDatabase, engines } from '#tests/support/databases.ts'
import { useAtOnce } from './support.ts'

const hasPostgres = engines.includes('postgres')

async function postgres(): Promise<URL> {
  const { location, drop } = await emptyDatabase('postgres')
  onTestFinished(drop)
  if (!('url' in location)) throw new Error('no address')
  return new URL(location.url)
}

describe('an address with several hosts', () => {
  test('becomes one address per host', () => {
    expect(addressesOf('postgres://u:p%40@a:1,b,[::1]:3/db?sslmode=require&target_session_attrs=read-write')).toEqual([
      'postgres://u:p%40@a:1/db?sslmode=require&target_session_attrs=read-write',
      'postgres://u:p%40@b/db?sslmode=require&target_session_attrs=read-write',
      'postgres://u:p%40@[::1]:3/db?sslmode=require&target_session_attrs=read-write',
    ])
    expect(addressesOf('postgresql://a,b')).toEqual(['postgresql://a', 'postgresql://b'])
    expect(addressesOf('postgres://u:a,b@c/d')).toEqual(['postgres://u:a,b@c/d'])
  })

  test('is refused, naming the setting, if a host is invalid or read-only is wanted', () => {
    expect(() => addressesOf('postgres://a:x,b/db')).toThrow(/^DATABASE_URL: one of its hosts/)
    for (const wanted of ['read-only', 'standby', 'prefer-standby'])
      expect(() => addressesOf(`postgres://a,b/db?target_session_attrs=${wanted}`)).toThrow(`DATABASE_URL: target_session_attrs=${wanted}`)
  })
})

describe.runIf(hasPostgres)('starting', () => {
  test('finds the host that accepts writes, among one that is down and a read-only one', async () => {
    const url = await postgres()
    const writable = url.port
    const other = await ownCluster(['fsync=off', 'default_transaction_read_only=on'])
    onTestFinished(other.remove)
    await other.cluster.start()
    url.pathname = '/postgres'
    const down = await freePort()
    const several = url.href.replace(url.host, `127.0.0.1:${down},127.0.0.1:${other.cluster.port},127.0.0.1:${writable}`)
    const { db, close } = await openDatabase({ url: several, connections: 3 }, () => {})
    onTestFinished(close)
    await useAtOnce(db, 3)
    const { rows } = await db.execute<{ port: string }>(`select current_setting('port') as port`)
    expect(rows).toEqual([{ port: writable }])
  }, 60_000)

  test('a former primary that returns as a standby is neither read from nor written to', async () => {
    const url = await postgres()
    url.pathname = '/postgres'
    const next = await relayTo(url.href)
    await next.cut()
    const led = await ownCluster(['fsync=off'])
    onTestFinished(led.remove)
    await led.cluster.start()
    const several = url.href.replace(url.host, `127.0.0.1:${led.cluster.port},127.0.0.1:${new URL(next.url).port}`)
    const { db, close } = await openDatabase({ url: several, connections: 3 }, () => {})
    onTestFinished(close)
    const port = async () => (await db.execute<{ port: string }>(`select current_setting('port') as port`)).rows[0]?.port
    expect(await port()).toBe(String(led.cluster.port))
    // nobody calls while the lead changes
    await db.execute('alter system set default_transaction_read_only = on')
    await led.cluster.stop()
    await next.mend()
    await led.cluster.start()
    expect(await Promise.all([port(), port(), port()])).toEqual([url.port, url.port, url.port])
  }, 60_000)

  test('waits for a database that is not up yet, and announces that once', async () => {
    const own = await ownCluster(['fsync=off'])
    onTestFinished(own.remove)
    const lines: string[] = []
    let waiting = () => {}
    const isWaiting = new Promise<void>((resolve) => {
      waiting = resolve
    })
    const announce = (line: string) => {
      lines.push(line)
      waiting()
    }
    const opening = openDatabase({ url: own.cluster.url }, () => {}, { announce })
    await isWaiting
    await own.cluster.start()
    const { db, close } = await opening
    onTestFinished(close)
    await db.execute('select 1')
    expect(lines).toEqual([expect.stringMatching(/^DATABASE_URL: .*ECONNREFUSED.*Waiting up to 30 seconds/)])
  }, 60_000)

  test('gives up naming the setting, at once if waiting would not help', async () => {
    const nobody = `postgres://postgres@127.0.0.1:${await freePort()}/postgres`
    await expect(openDatabase({ url: nobody }, () => {}, { waitSeconds: 1 })).rejects.toThrow(/^DATABASE_URL: connect ECONNREFUSED/)
    const url = await postgres()
    url.pathname = '/nodb'
    const since = performance.now()
    await expect(openDatabase({ url: url.href }, () => {})).rejects.toThrow('DATABASE_URL: database "nodb" does not exist')
    expect(performance.now() - since).toBeLessThan(10_000)
  })
})
