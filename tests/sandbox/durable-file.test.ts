import { readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeDurably } from '#sandbox/durable-file.ts'
import { canMount, smallDisk } from '#tests/support/small-disk.ts'

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
