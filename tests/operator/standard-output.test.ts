import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { resolve } from 'node:path'

const TOOL = resolve(import.meta.dirname, '../../src/operator/touchline.mjs')

/** The exit code and what stands on standard error, with standard output into this file. */
async function runInto(path: string, args: string[]): Promise<[number | null, string]> {
  const file = await open(path, 'w')
  onTestFinished(() => file.close())
  const child = spawn(process.execPath, [TOOL, ...args], { stdio: ['ignore', file.fd, 'pipe'] })
  if (!child.stderr) throw new Error('no standard error')
  const [[exit], err] = await Promise.all([once(child, 'exit') as Promise<[number | null]>, text(child.stderr)])
  return [exit, err]
}

describe.runIf(process.platform === 'linux')('output that a full disk does not take', () => {
  test.each([['keys'], ['--help']])('of %s fails, and says so', async (...args) => {
    expect(await runInto('/dev/full', args)).toEqual([
      1,
      expect.stringMatching(/^Not all of the output could be written: ENOSPC.* What the command has changed stays changed\./),
    ])
    expect(await runInto('/dev/null', args)).toEqual([0, ''])
  })
})

test('a reader that closes the pipe early is told nothing', async () => {
  const child = spawn(process.execPath, [TOOL, 'keys'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  const [[exit], err] = await Promise.all([once(child, 'exit') as Promise<[number | null]>, text(child.stderr)])
  expect([exit, err]).toEqual([1, ''])
})
