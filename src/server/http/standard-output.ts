import { write, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import type { LogTo } from './log.ts'
import { errorCode } from '../error-code.ts'

const CHARACTERS_MAXIMUM = 4 * 1024 * 1024
const RETRY_MS = 100
/** A slow reader makes room all the time, a full disk or a reader that has stopped seldom. */
const BUSY_RETRY_MS = 5
const LAST_WRITE_MS = 1000
/** A pipe takes as many as a whole or not at all (PIPE_BUF of Linux), a file usually any number. */
const WHOLE_BYTES = 4096

export interface ProcessLog extends LogTo {
  /** Resolves once all lines are written, or cannot be within a second. */
  flushed: () => Promise<void>
}

/**
 * The log of a process. What a full disk or a slow reader does not take waits; beyond some megabytes lines are dropped, and counted where they
 * are missing. Pino's own output would hold the process for ever: at the exit it repeats every write that fails, whatever the error.
 */
export function logToStandardOutput(): ProcessLog {
  // accessing process.stdout makes a pipe non-blocking
  const { fd } = process.stdout
  let lines: string[] = []
  let characters = 0
  let dropped = 0
  /** what is being written, or was not taken */
  let batch: Uint8Array = new Uint8Array()
  /** or not at all: it is short, and its first line has not been begun */
  let isTakenWhole = false
  let state: 'idle' | 'writing' | 'waiting' = 'idle'
  let retryMs = BUSY_RETRY_MS
  let onIdle = () => {}

  function nextBatch(): Uint8Array {
    const text = [...lines, ...(dropped > 0 ? [droppedLine(dropped)] : [])].join('')
    lines = []
    characters = 0
    dropped = 0
    return Buffer.from(text)
  }

  function writeOn(): void {
    if (batch.length === 0) {
      batch = nextBatch()
      isTakenWhole = batch.length <= WHOLE_BYTES
    }
    state = batch.length > 0 ? 'writing' : 'idle'
    if (state === 'writing') write(fd, batch, written)
    else onIdle()
  }

  function written(error: Error | null, bytes: number): void {
    if (error) {
      state = 'waiting'
      setTimeout(writeOn, isBusy(error) ? retryMs : RETRY_MS).unref()
      retryMs = Math.min(2 * retryMs, RETRY_MS)
      return
    }
    retryMs = BUSY_RETRY_MS
    // a disk that fills takes a part of a line: the rest is written first
    batch = batch.subarray(bytes)
    isTakenWhole = false
    writeOn()
  }

  // how much of a write that is under way was taken is often not known then: what follows begins a line of its own
  const ofWriting = () => Buffer.from(isTakenWhole ? '' : '\n')
  const unwritten = () => (state === 'writing' ? ofWriting() : batch)
  process.once('exit', () => writeLast(fd, Buffer.concat([unwritten(), nextBatch()])))
  return {
    flushed: async () => {
      if (state === 'idle') return
      await new Promise<void>((resolve) => {
        onIdle = resolve
        setTimeout(resolve, LAST_WRITE_MS)
      })
    },
    write: (line) => {
      // once one is dropped, so are those after it, until the count is written
      if (dropped > 0 || characters + line.length > CHARACTERS_MAXIMUM) {
        dropped += 1
      } else {
        lines.push(line)
        characters += line.length
      }
      if (state === 'idle') writeOn()
    },
  }
}

/** Same shape as Pino's lines. */
function droppedLine(count: number): string {
  const msg = 'lines are missing here: the log could not be written'
  return `${JSON.stringify({ level: 40, time: Date.now(), pid: process.pid, hostname: hostname(), lines: count, msg })}\n`
}

/** Waits for a slow reader only, and not for long. */
function writeLast(fd: number, bytes: Uint8Array): void {
  const end = performance.now() + LAST_WRITE_MS
  let rest = bytes
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest))
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) return
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_RETRY_MS)
    }
  }
}

const isBusy = (error: unknown) => errorCode(error) === 'EAGAIN'
