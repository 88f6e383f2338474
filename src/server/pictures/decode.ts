import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { PictureProblem } from './square.ts'

const PROGRAM = fileURLToPath(new URL('decoder-process.ts', import.meta.url))
/** The largest picture takes about two. */
const DEADLINE_MS = 10_000
/** Bytes, of the 640 MB that this process and the decoder are given together. It begins with 90 MB. */
const MEMORY_MAXIMUM = 300 * 1024 * 1024
const LOOK_EVERY_MS = 10

/**
 * Decodes a picture in a process of its own: a file may be made to take its decoder gigabytes or minutes, whatever its size and the number
 * of its pixels. Resolves to the JPEG that is stored, the error code, or 'failed' if somebody ended the process.
 */
export async function decode(file: Buffer): Promise<Buffer | PictureProblem | 'failed'> {
  // it needs no secret; Windows starts no program without this one
  const { SystemRoot } = process.env
  const child = spawn(process.execPath, [PROGRAM], { env: { SystemRoot }, stdio: ['pipe', 'pipe', 'pipe'] })
  let killedFor: PictureProblem | undefined
  const kill = (problem: PictureProblem) => {
    killedFor ??= problem
    child.kill('SIGKILL')
  }
  const timer = setTimeout(() => kill('IMAGE_UNREADABLE'), DEADLINE_MS)
  const looking = setInterval(
    () => void memoryOf(child.pid).then((bytes) => bytes > MEMORY_MAXIMUM && kill('IMAGE_TOO_LARGE')),
    LOOK_EVERY_MS,
  )
  try {
    const ended = new Promise<NodeJS.Signals | number | null>((resolve, reject) =>
      child.once('error', reject).once('close', (code, signal) => resolve(signal ?? code)),
    )
    // it may end before it has read everything
    child.stdin.on('error', () => undefined).end(file)
    const [output, said, end] = await Promise.all([buffer(child.stdout), text(child.stderr), ended])
    if (killedFor !== undefined) return killedFor
    // by the system, which was short of memory
    if (end === 'SIGKILL') return 'IMAGE_TOO_LARGE'
    if (end === 'SIGTERM' || end === 'SIGINT') return 'failed'
    // it crashed over this file
    if (typeof end === 'string') return 'IMAGE_UNREADABLE'
    if (end !== 0) throw new Error(`The decoder of pictures ended with ${end}: ${said.slice(-500)}`)
    return PROBLEMS.find((problem) => output.equals(Buffer.from(problem))) ?? output
  } finally {
    clearTimeout(timer)
    clearInterval(looking)
  }
}

const PROBLEMS: readonly PictureProblem[] = ['UNSUPPORTED_IMAGE', 'IMAGE_TOO_LARGE', 'IMAGE_UNREADABLE']

/** Bytes that a process takes now; 0 where the system does not say (Linux alone does so in a file). */
async function memoryOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}
