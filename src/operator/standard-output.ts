import { fstatSync, writeFileSync } from 'node:fs'
import { isatty } from 'node:tty'
import { EXIT, ExitError, textOf } from './exit.ts'

const FD = 1

/** Prints lines to standard output, and makes the command fail if not all of them could be written. */
export function printToStandardOutput(): (line: string) => void {
  if (isFile()) return writeLine
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    process.stdout.on('error', () => {})
    // a reader that has had enough, such as `head`, needs no message
    if (error.code !== 'EPIPE') console.error(notWritten(error))
    process.once('exit', () => (process.exitCode ||= EXIT.failed))
  })
  return (line) => console.log(line)
}

function isFile(): boolean {
  const stats = fstatSync(FD)
  return stats.isFile() || (stats.isCharacterDevice() && !isatty(FD))
}

/** Node's own stream takes a line for written of which a full disk took a part. */
function writeLine(line: string): void {
  try {
    writeFileSync(FD, `${line}\n`)
  } catch (error) {
    throw new ExitError(notWritten(error), EXIT.failed, { cause: error })
  }
}

function notWritten(error: unknown): string {
  return `Not all of the output could be written: ${textOf(error)}. What the command has changed stays changed.`
}
