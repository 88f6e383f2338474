import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { PictureProblem } from './square.ts'

const PROGRAM = fileURLToPath(new URL('decoder-process.ts', import.meta.url))

export const DECODER_LIMITS = {
  /** of processor time; the largest picture takes about two seconds. Where the system does not tell it (Linux alone does), the deadline is all. */
  processorMs: 10_000,
  /** On a machine that is busy enough any picture may take longer. */
  deadlineMs: 10_000,
  /** of the 640 MB that this process and the decoder are given together; it begins with 90 MB */
  bytes: 300 * 1024 * 1024,
}
const LOOK_EVERY_MS = 10
/** Linux tells processor time in hundredths of a second, on every machine. */
const TICK_MS = 10

/**
 * Decodes a picture in a process of its own: a file may be made to take its decoder gigabytes or minutes, whatever its size and the number
 * of its pixels. Resolves to the JPEG that is stored, the error code, or 'failed' where that says nothing of the file: somebody ended the
 * process, or the machine had too little memory or time for it.
 */
export async function decode(file: Buffer, limits = DECODER_LIMITS): Promise<Buffer | PictureProblem | 'failed'> {
  // it needs no secret; Windows starts no program without this one
  const { SystemRoot } = process.env
  const child = spawn(process.execPath, [PROGRAM], { env: { SystemRoot }, stdio: ['pipe', 'pipe', 'pipe'] })
  let killedFor: PictureProblem | 'failed' | undefined
  const kill = (problem: PictureProblem | 'failed') => {
    killedFor ??= problem
    child.kill('SIGKILL')
  }
  const look = async () => {
    const { bytes, processorMs } = await usedBy(child.pid)
    if (bytes > limits.bytes) kill('IMAGE_TOO_LARGE')
    if (processorMs > limits.processorMs) kill('IMAGE_UNREADABLE')
  }
  const timer = setTimeout(() => kill('failed'), limits.deadlineMs)
  const looking = setInterval(() => void look(), LOOK_EVERY_MS)
  try {
    const ended = new Promise<NodeJS.Signals | number | null>((resolve, reject) =>
      child.once('error', reject).once('close', (code, signal) => resolve(signal ?? code)),
    )
    // it may end before it has read everything
    child.stdin.on('error', () => undefined).end(file)
    const [output, said, end] = await Promise.all([buffer(child.stdout), text(child.stderr), ended])
    if (killedFor !== undefined) return killedFor
    // SIGKILL: by the system, which was short of memory
    if (end === 'SIGKILL' || end === 'SIGTERM' || end === 'SIGINT') return 'failed'
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

/** What a process takes, as files of Linux say; zero where there are none. */
async function usedBy(pid: number | undefined): Promise<{ bytes: number; processorMs: number }> {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')
  const [status, stat] = await Promise.all([read('status'), read('stat')])
  // after the program's name, which may contain anything
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0] = fields.slice(USER_TIME, USER_TIME + 2).map(Number)
  return { bytes: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024, processorMs: (user + system) * TICK_MS }
}

/** Place of the first of the two times of a process, counted from its state. */
const USER_TIME = 11
