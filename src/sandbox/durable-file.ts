import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

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
  if (process.platform === 'win32') return
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
