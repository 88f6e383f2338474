import { randomUUID } from 'node:crypto'
import { constants, copyFile, link, rm, writeFile } from 'node:fs/promises'
import { errorCode } from './error-code.ts'

/**
 * Makes a file that its owner alone can read: whole, or not at all if the disk fills. Of two processes that make it at once, one does.
 * @throws an error for which `isThereAlready`, if there is one
 */
export async function writeNewFile(path: string, content: string): Promise<void> {
  const part = `${path}.${randomUUID()}.part`
  try {
    await writeFile(part, content, { flag: 'wx', mode: 0o600, flush: true })
    await link(part, path).catch((error: unknown) => {
      if (isThereAlready(error)) throw error
      // some file systems have no hard links
      return copyFile(part, path, constants.COPYFILE_EXCL)
    })
  } finally {
    await rm(part, { force: true })
  }
}

export function isThereAlready(error: unknown): boolean {
  return errorCode(error) === 'EEXIST'
}
