import { writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { toSquareJpeg } from './square.ts'

/** The process that decodes one picture: the file comes by the standard input, the JPEG or the error code goes to the standard output. */

// a service manager tells all processes at once to stop, and this one has work that is waited for
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined)
// where memory runs short, this process is ended and not the server's
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined)
process.stdout.write(await toSquareJpeg(await buffer(process.stdin)))
