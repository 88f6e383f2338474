import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '#tests/support/free-port.ts'

/** docs/deploy/report-bounce.sh, by whose exit code a mail server keeps a report or lets it go. */

const LATER = 75
const REPORT = 'Subject: Undelivered\n\n--\u00e9\0'

/** Exit code of the program for a report. */
async function report(address: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-bounce-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const header = join(folder, 'header')
  await writeFile(header, 'Authorization: Bearer the-key\n')
  const child = spawn('sh', ['docs/deploy/report-bounce.sh', address, header], { stdio: ['pipe', 'ignore', 'ignore'] })
  child.stdin.end(REPORT)
  const [code] = (await once(child, 'exit')) as [number]
  return code
}

/** A server that replies with this status; `asked` has what it was sent. */
async function replying(status: number) {
  const asked: { request: IncomingMessage; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      asked.push({ request, body })
      response.writeHead(status).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked } // listening on a port
}

describe.runIf(process.platform === 'linux')('a report of a mail server', () => {
  test('is sent as it is, with the key', async () => {
    const { address, asked } = await replying(200)
    expect(await report(address)).toBe(0)
    expect(asked).toHaveLength(1)
    expect(asked[0]?.body).toBe(REPORT)
    expect(asked[0]?.request).toMatchObject({
      method: 'POST',
      url: '/api/mail/bounce',
      headers: { authorization: 'Bearer the-key', 'content-type': 'message/rfc822' },
    })
  })

  test('goes to the same call if the address ends in a slash', async () => {
    const { address, asked } = await replying(200)
    expect(await report(`${address}/`)).toBe(0)
    expect(asked.map(({ request }) => request.url)).toEqual(['/api/mail/bounce'])
  })

  test.each([
    [400, 'that is none', 0],
    [413, 'that is too large', 0],
    [401, 'with a key that is not taken', LATER],
    [404, 'to a server without a key', LATER],
    [301, 'to an address that has moved', LATER],
    [429, 'that is one too many', LATER],
    [500, 'that meets a fault', LATER],
    [502, 'while a proxy waits for a restart', LATER],
    [503, 'while the database is down', LATER],
  ])('with the reply %i, %s, ends with %3$i', async (status, _what, code) => {
    expect(await report((await replying(status)).address)).toBe(code)
  })

  test('is kept while nobody listens', async () => {
    expect(await report(`http://127.0.0.1:${await freePort()}`)).toBe(LATER)
  })
})
