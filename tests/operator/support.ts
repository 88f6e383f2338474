import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { newKeys } from '#operator/make-keys.ts'
import { run } from '#operator/program.ts'

interface Ran {
  exit: number
  /** the result */
  out: string
  /** everything else */
  err: string
}

/** Runs a command of the tool in this process, with these settings and no others. */
export async function touchline(args: readonly string[], environment: Record<string, string> = {}, now = () => new Date()): Promise<Ran> {
  const [out, err]: [string[], string[]] = [[], []]
  const exit = await run(args, { environment, print: (line) => out.push(line), warn: (line) => err.push(line), now })
  return { exit, out: out.join('\n'), err: err.join('\n') }
}

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-tool-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Keys as settings, which several servers and the tool share. */
export const keySettings = (): Record<string, string> => ({ ...newKeys() })
