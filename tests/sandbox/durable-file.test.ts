import { execFile } from 'node:child_process'
import { readFile, rm, statfs, writeFile } from 'node:fs/promises'
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
