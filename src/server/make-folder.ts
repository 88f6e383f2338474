import { mkdir, rmdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { errorCode } from './error-code.ts'
import { exists } from './exists.ts'

/**
 * Makes a folder and those above it. Node's own `recursive` loops for ever where no folder can be made, as in /proc.
 * @returns the topmost folder that it has made, if any
 */
export async function makeFolder(path: string, mode?: number): Promise<string | undefined> {
  const place = resolve(path)
  try {
    return await make(place, mode)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    const above = dirname(place)
    const top = (await exists(above)) ? undefined : await makeFolder(above, mode)
    // also if it was there: another process may have made it just now
    try {
      const made = await make(place, mode)
      return top ?? made
    } catch (failure) {
      if (top !== undefined) await removeEmptyFolders(above, top)
      throw failure
    }
  }
}

/** Removes a folder and those above it up to `top`, as far as they are empty: somebody else may use them. */
export async function removeEmptyFolders(folder: string, top: string): Promise<void> {
  const isRemoved = await rmdir(folder).then(
    () => true,
    () => false,
  )
  if (isRemoved && folder !== top) await removeEmptyFolders(dirname(folder), top)
}

async function make(place: string, mode?: number): Promise<string | undefined> {
  try {
    await mkdir(place, { mode })
    return place
  } catch (error) {
    // some systems say first that their disk is read-only
    if (!(await stat(place).catch(() => undefined))?.isDirectory()) throw error
    return undefined
  }
}

const PROBLEMS: Record<string, string> = {
  EROFS: 'its disk is read-only',
  EACCES: 'this program has no permission there',
  EPERM: 'it belongs to another user',
  ENOTDIR: 'part of it is a file',
  EEXIST: 'it, or a folder above it, is a file or a link that leads nowhere',
  ENOENT: 'it cannot be created there',
  ENOSPC: 'its disk is full',
  ENAMETOOLONG: 'its name is too long',
}

/** Why a folder or file cannot be made. */
export function makingProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = errorCode(error)
  return PROBLEMS[code ?? ''] ?? error.message
}
