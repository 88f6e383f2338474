import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const UNFINISHED = /\.\d+\.new$/
/** Far longer than a write takes. */
const ABANDONED_MS = 3_600_000

/**
 * Replaces a file atomically and durably: a killed process leaves the old one or the new one. The new file is written beside it,
 * flushed and renamed over it, and the folder is flushed. Synchronous, so that no other request sees a change before it is stored.
 */
export function writeDurably(path: string, content: string): void {
  // another process may write the same file at this moment
  const fresh = `${path}.${process.pid}.new`
  const file = openSync(fresh, 'w', 0o600)
  try {
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(fresh, path)
  // Windows cannot open a folder; its rename is already journalled.
  if (process.platform !== 'win32') syncFolder(dirname(path))
  removeAbandoned(dirname(path))
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** Removes what processes that were killed before they renamed it have left in a folder. */
function removeAbandoned(folder: string): void {
  const then = Date.now() - ABANDONED_MS
  for (const name of readdirSync(folder).filter((one) => UNFINISHED.test(one))) {
    const file = join(folder, name)
    // another process may have renamed or removed it
    const found = statSync(file, { throwIfNoEntry: false })
    if (found && found.mtimeMs < then) rmSync(file, { force: true })
  }
}
