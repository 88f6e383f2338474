import { existsSync } from 'node:fs'
import { cp, mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { inject } from 'vitest'
import { readEnv } from '#server/env.ts'
import { start } from '#server/start.ts'
import { freePort } from './free-port.ts'

/** Fills a folder with the data of a demo's first start, because copying it is much faster than that start. */
export async function copyDemoFolder(to: string): Promise<void> {
  const made = join(inject('runFolder'), 'demo')
  if (await isFirst(`${made}.lock`)) await make(made)
  while (!existsSync(made)) await delay(50)
  await cp(made, to, { recursive: true, preserveTimestamps: true })
}

/** True for only one of the test files that ask at the same time. */
function isFirst(lock: string): Promise<boolean> {
  return mkdir(lock).then(
    () => true,
    () => false,
  )
}

async function make(folder: string): Promise<void> {
  const half = `${folder}.half`
  const { close } = await start(readEnv({ PORT: String(await freePort()), DATA_DIR: half, LOG_LEVEL: 'silent' }))
  await close()
  await rename(half, folder)
}
