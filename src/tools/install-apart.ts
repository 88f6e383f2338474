import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/**
 * Installs packages that few people need, in a folder with its own manifest and lockfile, when a command first needs them.
 * docs/decisions/0060
 */

const CACHE = fileURLToPath(new URL('../../.cache/', import.meta.url))
// what npm writes last
const DONE = 'node_modules/.package-lock.json'
const FILES = ['package.json', 'package-lock.json', '.npmrc']

/** @param folder from the top of the repository @returns where its packages are */
export async function installApart(folder: string): Promise<string> {
  const own = fileURLToPath(new URL(`../../${folder}/`, import.meta.url))
  const there = join(own, 'node_modules')
  if (existsSync(join(own, DONE))) return there
  console.log(`npm ci in ${folder} …`)
  await mkdir(CACHE, { recursive: true })
  // installed elsewhere and moved as a whole: a killed run leaves no half of it, and another may do the same meanwhile
  const part = await mkdtemp(join(CACHE, 'install-'))
  try {
    for (const file of FILES) await cp(join(own, file), join(part, file))
    await promisify(execFile)('npm', ['ci'], { cwd: part })
    const bringIn = () => rename(join(part, 'node_modules'), there)
    await bringIn().catch(async () => {
      if (existsSync(join(own, DONE))) return
      // of an npm that was killed there
      await rm(there, { recursive: true, force: true })
      await bringIn()
    })
  } finally {
    await rm(part, { recursive: true, force: true })
  }
  return there
}
