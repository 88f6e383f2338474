import { chmod, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The folder of an installation is its owner's alone: the embedded database has everybody's answers, and keys.json what
 * guards them. Throws an Error that names DATA_DIR where it cannot be written.
 */
export async function openDataFolder(path: string): Promise<void> {
  // for whatever is written from now on
  process.umask(0o077)
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    const found = await stat(path)
    if (!found.isDirectory()) throw new Error('it is a file')
    // as /tmp is: nobody's own, and everybody's without it
    if (isSticky(found.mode)) throw new Error('everybody writes there; name a folder of its own inside it')
    await chmod(path, 0o700)
  } catch (error) {
    throw new Error(`DATA_DIR (${path}) cannot be used: ${reasonOf(error)}.`, { cause: error })
  }
}

/** Takes from everybody else what they may do with a folder and all that is in it: the embedded database unpacks files that all may write. */
export async function tighten(path: string): Promise<void> {
  await chmod(path, 0o700)
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const place = join(path, entry.name)
    if (entry.isDirectory()) await tighten(place)
    else if (entry.isFile()) await chmod(place, 0o600).catch(unlessGone)
  }
}

function unlessGone(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}

const STICKY = 0o1000
// eslint-disable-next-line no-bitwise
const isSticky = (mode: number) => (mode & STICKY) !== 0

const REASONS: Record<string, string> = {
  EROFS: 'its disk is read-only',
  EACCES: 'this program may not write there',
  EPERM: 'it belongs to somebody else',
  ENOTDIR: 'part of it is a file',
  EEXIST: 'it is a file',
  ENOENT: 'it cannot be made there',
  ENOSPC: 'its disk is full',
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return ('code' in error && typeof error.code === 'string' && REASONS[error.code]) || error.message
}
