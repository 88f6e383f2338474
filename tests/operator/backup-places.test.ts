import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '#server/make-folder.ts'
import { newFolder, touchline } from './support.ts'

/** Where a backup can be put, and folders in general. OPERATE-18 */

const isLinux = process.platform === 'linux'

test('folders are made with those above them, and one that is there stays', async () => {
  const folder = join(await newFolder(), 'a', 'b')
  await Promise.all([makeFolder(folder, 0o700), makeFolder(folder, 0o700)])
  expect((await stat(folder)).mode % 0o1000).toBe(0o700)
  await makeFolder(folder)
})

test('a folder that several processes make at once is made by each', async () => {
  const folder = await newFolder()
  const below = Array.from({ length: 200 }, (_, index) => join(folder, String(index), 'a', 'b', 'c'))
  // each is begun for another number of those above it, as by processes that do not start in one moment
  const ways = (path: string) => [path, join(path, '..'), join(path, '..', '..'), join(path, '..', '..', '..'), path]
  await Promise.all(below.flatMap(ways).map((path) => makeFolder(path)))
  for (const path of below) expect((await stat(path)).isDirectory()).toBe(true)
})

// in a process of its own, which a call without end would stop from ever reporting
test.runIf(isLinux)('a folder where the system knows of no place for one is refused', async () => {
  const script = `import { makeFolder } from '${new URL('../../src/server/make-folder.ts', import.meta.url).href}'
    await makeFolder('/proc/touchline/backups').catch((error) => console.log(error.code))`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 10_000,
  })
  let said = ''
  child.stdout.on('data', (chunk) => (said += String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  expect([code, said.trim()]).toEqual([0, 'ENOENT'])
})

test.each<[string, string]>([
  ['a file', 'file'],
  ['below a file', 'file/below'],
  ['a link that leads nowhere', 'link'],
  ['below a link that leads nowhere', 'link/below'],
  ['a name too long for the disk', 'x'.repeat(300)],
  ...(isLinux
    ? ([
        ['in /proc', '/proc/touchline'],
        ['/proc itself', '/proc'],
      ] as [string, string][])
    : []),
])('a backup to a place that is %s is refused by name, and leaves nothing', async (_what, name) => {
  const folder = await newFolder()
  await writeFile(join(folder, 'file'), '')
  await symlink(join(folder, 'nowhere'), join(folder, 'link'))
  const to = name.startsWith('/') ? name : join(folder, name)
  const { exit, err } = await touchline(['backup', '--to', to], { DATA_DIR: join(folder, 'data') })
  expect(exit).toBe(1)
  expect(err).toMatch(/^No backup can be put into .*: [^:]*\. Name another folder with --to\.$/)
  expect(err).toContain(to)
  expect(await readdir(folder)).toEqual(['file', 'link'])
})

test('a backup of a DATA_DIR that has no database is refused, and makes none', async () => {
  const folder = await newFolder()
  const { exit, err } = await touchline(['backup', '--to', join(folder, 'backups')], { DATA_DIR: join(folder, 'data') })
  expect([exit, err]).toEqual([
    1,
    expect.stringMatching(/data\) has no data of Touchline: there is nothing to back up\. Run this command with/),
  ])
  expect(await readdir(folder)).toEqual([])
})

test('a folder for backups that was there stays after a refused one', async () => {
  const folder = await newFolder()
  await mkdir(join(folder, 'backups'))
  expect((await touchline(['backup', '--to', join(folder, 'backups')], { DATA_DIR: join(folder, 'data') })).exit).toBe(1)
  expect(await readdir(folder)).toEqual(['backups'])
})

test('a DATA_DIR that cannot be one is named', async () => {
  const folder = await newFolder()
  await writeFile(join(folder, 'file'), '')
  const { exit, err } = await touchline(['upgrade', '--dry-run'], { DATA_DIR: join(folder, 'file') })
  expect([exit, err]).toEqual([
    1,
    expect.stringMatching(/^DATA_DIR \(.*file\) cannot be used: it, or a folder above it, is a file or a link that leads nowhere\.$/),
  ])
})

test('what cannot be looked into is not said to be empty, nor damaged', async () => {
  const folder = await newFolder()
  const loop = join(folder, 'loop')
  await symlink(loop, loop)
  for (const command of [['backup', '--to', join(folder, 'backups')], ['upgrade']]) {
    const { exit, err } = await touchline(command, { DATA_DIR: loop })
    expect([exit, err]).toEqual([1, expect.stringMatching(/^DATA_DIR \(.*loop\) cannot be used/)])
  }
  const { exit, err } = await touchline(['restore', loop], { DATA_DIR: join(folder, 'data') })
  expect([exit, err]).toEqual([1, expect.stringMatching(/loop cannot be read: /)])
  await mkdir(join(folder, 'keys', 'keys.json'), { recursive: true })
  const { out } = await touchline(['doctor'], { DATA_DIR: join(folder, 'keys'), PORT: '1' })
  expect(out).toMatch(/keys\.json cannot be read: .*Run this as the user of the server/)
  expect(out).not.toContain('delete it')
})
