import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, makingProblem } from './make-folder.ts'
import { errorCode } from './error-code.ts'

/**
 * Creates DATA_DIR, accessible to its owner only: it contains the embedded database with all answers, and keys.json.
 * @throws an Error that names DATA_DIR, if it cannot be used
 */
export async function openDataFolder(path: string): Promise<void> {
  // for everything that this process writes
  process.umask(0o077)
  try {
    await makeFolder(path, 0o700)
    const found = await stat(path)
    if (!found.isDirectory()) throw new Error('it is a file')
    // a shared folder such as /tmp: without the sticky bit, other users could delete files in it
    if (isSticky(found.mode)) throw new Error('it is shared with other users; choose a folder of its own inside it')
    await chmod(path, 0o700)
  } catch (error) {
    throw unusable(path, error)
  }
}

/** Names DATA_DIR, and why nothing can be made there. */
export function unusable(path: string, cause: unknown): Error {
  return new Error(`DATA_DIR (${path}) cannot be used: ${makingProblem(cause)}.`, { cause })
}

/** Removes the access of other users to a folder and everything in it: the embedded database unpacks world-writable files. */
export async function makePrivate(path: string): Promise<void> {
  await chmod(path, 0o700)
  const entries = await readdir(path, { withFileTypes: true })
  await Promise.all(
    entries.map(async (entry) => {
      const place = join(path, entry.name)
      if (entry.isDirectory()) await makePrivate(place)
      else if (entry.isFile()) await chmod(place, 0o600).catch(ignoreMissing)
    }),
  )
}

function ignoreMissing(error: unknown): void {
  if (errorCode(error) !== 'ENOENT') throw error
}

const STICKY = 0o1000
/** Shared by all users, like /tmp. */
export const isSticky = (mode: number) => (mode & STICKY) !== 0
