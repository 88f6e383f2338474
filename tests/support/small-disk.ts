import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

function mount(options: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-disk-'))
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status === 0) return folder
  rmdirSync(folder)
  return undefined
}

function unmount(folder: string): void {
  spawnSync('umount', ['-l', folder])
  rmdirSync(folder)
}

/** Whether this process may mount a disk: on Linux as root, and not in every container. */
export function canMount(): boolean {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return false
  const folder = mount('size=1m')
  if (folder === undefined) return false
  unmount(folder)
  return true
}

/**
 * A folder that is a disk of its own, until the test ends.
 * @param options of a tmpfs: `size=1m`, or `nr_inodes=4`, which is full once it has three files, whatever room is left
 */
export function smallDisk(options: string): string {
  const folder = mount(options)
  if (folder === undefined) throw new Error('this process may not mount a disk')
  onTestFinished(() => unmount(folder))
  chmodSync(folder, 0o777)
  return folder
}
