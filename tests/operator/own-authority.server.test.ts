import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '#tests/support/free-port.ts'
import { newFolder } from './support.ts'

const FOLDER = resolve('tests/operator/own-authority')
const AUTHORITY = join(FOLDER, 'certificate.pem')

/** A store that is empty, with a certificate that only `AUTHORITY` vouches for. */
async function storeWithOwnCertificate(): Promise<string> {
  const [key, cert] = [await readFile(join(FOLDER, 'key.pem')), await readFile(AUTHORITY)]
  const server = createServer({ key, cert }, (_request, response) => {
    response.writeHead(404, { 'content-type': 'application/xml' }).end('<Error><Code>NoSuchBucket</Code></Error>')
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `https://localhost:${(server.address() as AddressInfo).port}`
}

async function doctor(authority: string) {
  const folder = await newFolder()
  const file = join(folder, '.env')
  const settings = {
    NODE_EXTRA_CA_CERTS: authority,
    S3_ENDPOINT: await storeWithOwnCertificate(),
    S3_REGION: 'eu',
    S3_BUCKET: 'pictures',
    S3_ACCESS_KEY_ID: 'a',
    S3_SECRET_ACCESS_KEY: 'b',
    DATA_DIR: join(folder, 'data'),
    PORT: await freePort(),
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  await writeFile(file, lines.join('\n'))
  const child = spawn(process.execPath, ['--', resolve('src/operator/touchline.mjs'), '--env-file', file, 'doctor'], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said }
}

/** OPERATE-16 */
test('an authority that the settings file names is trusted, as by the server', async () => {
  const { said } = await doctor(AUTHORITY)
  expect(said).toContain('NoSuchBucket')
  expect(said).not.toContain('certificate')
}, 60_000)

test('an authority that is not there is named', async () => {
  expect(await doctor('/nowhere.pem')).toEqual({
    code: 2,
    said: expect.stringMatching(/^NODE_EXTRA_CA_CERTS: \/nowhere.pem cannot be read/),
  })
}, 60_000)
