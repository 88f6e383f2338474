import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes a file so that a killed process leaves the old one or the new one, never half of one: beside it, forced to
 * the disk, renamed over it, and the folder's entry forced as well. Synchronous, so that no other request sees the
 * state between a change and its record.
 */
export function writeDurably(path: string, content: string): void {
  const fresh = `${path}.new`
  const file = openSync(fresh, 'w', 0o600)
  try {
    writeSync(file, content)
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
