import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Media } from '#server/outside/media.ts'
import { errorCode } from '#server/error-code.ts'

const PATH = /^[a-z-]+\/[\w-]+(\.[\w-]+)*$/

/** Pictures in a folder instead of an object store. A file is stored whole or not at all. */
export function folderMedia(folder: string): Media {
  // the server's own paths are plain: any other is a bug, and must not lead outside the folder
  const fileOf = (path: string) => {
    if (!PATH.test(path)) throw new TypeError(`Not a path of the media folder: ${path}`)
    return join(folder, path)
  }

  async function storeWhole(path: string, fill: (part: string) => Promise<boolean>): Promise<boolean> {
    const place = fileOf(path)
    const part = `${place}.${randomUUID()}.part`
    await mkdir(dirname(place), { recursive: true, mode: 0o700 })
    try {
      if (!(await fill(part))) return false
      await rename(part, place)
      return true
    } finally {
      await rm(part, { force: true })
    }
  }

  return {
    presign: null,
    receive: async (path, { content }, bytesMaximum) => {
      const isStored = await storeWhole(path, async (part) => {
        const counted = { bytes: 0 }
        await pipeline(upTo(content, bytesMaximum, counted), createWriteStream(part, { mode: 0o600 }))
        return counted.bytes <= bytesMaximum
      })
      return isStored ? 'received' : 'too-large'
    },
    read: async (path, bytesMaximum) => {
      const place = fileOf(path)
      const found = await stat(place).catch(unlessAbsent)
      if (!found) return 'absent'
      if (found.size > bytesMaximum) return 'too-large'
      return (await readFile(place).catch(unlessAbsent)) ?? 'absent'
    },
    write: async (path, content) => {
      await storeWhole(path, async (part) => {
        await writeFile(part, content, { mode: 0o600 })
        return true
      })
    },
    remove: (path) => rm(fileOf(path), { force: true }),
    async *list(name) {
      const names = (await readdir(join(folder, name)).catch(unlessAbsent)) ?? []
      for (const one of names) {
        const found = await stat(join(folder, name, one)).catch(unlessAbsent)
        if (found) yield { path: `${name}/${one}`, at: found.mtime }
      }
    },
  }
}

/** Reads even an oversized upload to its end, so that the sender gets the reply, but stores none of the excess. */
async function* upTo(content: Readable, maximum: number, counted: { bytes: number }): AsyncGenerator<Buffer> {
  for await (const chunk of content as AsyncIterable<Buffer>) {
    counted.bytes += chunk.length
    if (counted.bytes <= maximum) yield chunk
  }
}

function unlessAbsent(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT') return undefined
  throw error
}
