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

describe.runIf(process.platform === 'linux')('the script that reports a mail server’s bounces', () => {
  test('sends the report unchanged, with the key', async () => {
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

  test('makes the same call if the address ends in a slash', async () => {
    const { address, asked } = await replying(200)
    expect(await report(`${address}/`)).toBe(0)
    expect(asked.map(({ request }) => request.url)).toEqual(['/api/mail/bounce'])
  })

  test.each([
    [400, 'that is invalid', 0],
    [413, 'that is too large', 0],
    [401, 'with a wrong key', LATER],
    [404, 'that the server has no key for', LATER],
    [301, 'whose address has moved', LATER],
    [429, 'that is one too many', LATER],
    [500, 'that causes an internal error', LATER],
    [502, 'while a proxy waits for a restart', LATER],
    [503, 'while the database is down', LATER],
  ])('with the reply %i to a report %s, exits with $2', async (status, _what, code) => {
    expect(await report((await replying(status)).address)).toBe(code)
  })

  test('tells the mail server to keep the report while no server listens', async () => {
    expect(await report(`http://127.0.0.1:${await freePort()}`)).toBe(LATER)
  })
})
