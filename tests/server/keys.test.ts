import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { readEnv } from '#server/env.ts'
import { loadKeys } from '#server/keys.ts'

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-keys-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const env = readEnv({})

/** Tells what it reads of each file as soon as there is one. */
const LOOK = `
  const { readFileSync } = require('node:fs')
  const { parentPort, workerData } = require('node:worker_threads')
  const look = (path) => { try { return readFileSync(path, 'utf8') } catch { return undefined } }
  for (const path of workerData) {
    let text
    while (text === undefined) text = look(path)
    parentPort.postMessage(text)
  }`

test('servers that start at once on one new folder have the same keys', async () => {
  const folder = await newFolder()
  for (let round = 0; round < 20; round += 1) {
    const place = join(folder, String(round))
    const keys = await Promise.all(Array.from({ length: 8 }, () => loadKeys(env, place)))
    expect(new Set(keys.map(({ refreshKey }) => refreshKey)).size).toBe(1)
    expect(await readdir(place)).toEqual(['keys.json'])
    expect((await stat(join(place, 'keys.json'))).mode & 0o777).toBe(0o600)
  }
})

test('nobody sees a part of the file', async () => {
  const folder = await newFolder()
  const rounds = Array.from({ length: 30 }, (_, round) => join(folder, String(round)))
  const looking = new Worker(LOOK, { eval: true, workerData: rounds.map((round) => join(round, 'keys.json')) })
  onTestFinished(async () => void (await looking.terminate()))
  for (const round of rounds) {
    const seen = once(looking, 'message')
    await loadKeys(env, round)
    const [text] = (await seen) as [string]
    expect(text).toBe(await readFile(join(round, 'keys.json'), 'utf8'))
  }
})

test('a link that leads nowhere is named', async () => {
  const folder = await newFolder()
  await symlink(join(folder, 'absent'), join(folder, 'keys.json'))
  await expect(loadKeys(env, folder)).rejects.toThrow(`DATA_DIR (${folder}) cannot be used: it, or a folder above it, is a file or a link`)
})
