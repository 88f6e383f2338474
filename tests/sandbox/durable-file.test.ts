import { execFile } from 'node:child_process'
import { readdir, readFile, rm, statfs, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { writeDurably } from '#sandbox/durable-file.ts'
import { temporaryFolder } from './support.ts'
import { canMount, smallDisk } from '#tests/support/small-disk.ts'

test('two processes that write a file at the same time both succeed', async () => {
  const path = join(await temporaryFolder(), 'file')
  const module = new URL('../../src/sandbox/durable-file.ts', import.meta.url).href
  const script = `import { writeDurably } from ${JSON.stringify(module)}
    for (let count = 0; count < 200; count += 1) writeDurably(${JSON.stringify(path)}, String(process.pid))`
  const write = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  await Promise.all([write(), write()])
  expect(await readFile(path, 'utf8')).toMatch(/^\d+$/)
})

test('what processes killed in between have left is removed, and nothing of one that writes now', async () => {
  const folder = await temporaryFolder()
  const begun = async (name: string, minutesAgo: number) => {
    const at = new Date(Date.now() - minutesAgo * 60_000)
    await writeFile(join(folder, name), 'begun')
    await utimes(join(folder, name), at, at)
  }
  await begun('file.999.new', 61)
  await begun('other.json.1000.new', 61)
  await begun('file.1001.new', 59)
  await begun('kept.new', 61)
  writeDurably(join(folder, 'file'), 'whole')
  expect((await readdir(folder)).toSorted()).toEqual(['file', 'file.1001.new', 'kept.new'])
})

test.runIf(canMount())('a disk that fills meanwhile leaves the old file', async () => {
  const disk = smallDisk('size=1m')
  const path = join(disk, 'file')
  writeDurably(path, 'old')
  const { bavail, bsize } = await statfs(disk)
  await writeFile(join(disk, 'filler'), Buffer.alloc((bavail - 2) * bsize))
  const longer = 'x'.repeat(4 * bsize)
  expect(() => writeDurably(path, longer)).toThrow('ENOSPC')
  expect(await readFile(path, 'utf8')).toBe('old')
  await rm(join(disk, 'filler'))
  writeDurably(path, longer)
  expect(await readFile(path, 'utf8')).toBe(longer)
})
