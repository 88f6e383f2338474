import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '#tests/sandbox/support.ts'

/** A process that writes so many lines to its log and ends at once, as one does for an error that nobody catches. */
function endingAtOnce(lines: number, stdout: number | 'pipe') {
  const module = new URL('../../../src/server/http/standard-output.ts', import.meta.url).href
  const script = `import { logToStandardOutput } from ${JSON.stringify(module)}
    const log = logToStandardOutput()
    for (let line = 1; line <= ${lines}; line += 1) log.write('line ' + line + '\\n')
    throw new Error('unplanned')`
  return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', stdout, 'ignore'] })
}

/** What is under way at the exit may come after the rest, or not at all. */
const linesOf = (log: string) => log.split('\n').slice(0, -1).toSorted()

describe.each([1, 3])('after an exit that was not planned, a log of %i lines has no empty one', (lines) => {
  const possible = Array.from({ length: lines }, (_, index) => `line ${index + 1}`)
  const expected = [possible, possible.slice(1)]

  test('in a file', async () => {
    const path = join(await temporaryFolder(), 'log')
    const file = await open(path, 'a')
    await once(endingAtOnce(lines, file.fd), 'close')
    await file.close()
    expect(expected).toContainEqual(linesOf(await readFile(path, 'utf8')))
  })

  test('in a pipe', async () => {
    const { stdout } = endingAtOnce(lines, 'pipe')
    if (!stdout) throw new Error('no pipe')
    expect(expected).toContainEqual(linesOf(await textOf(stdout)))
  })
})
