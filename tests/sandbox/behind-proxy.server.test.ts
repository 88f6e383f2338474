import { createServer, request } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { signIn } from '#tests/support/person.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

const PAGES = [
  '/dev',
  '/dev/mail',
  '/dev/mail.json?to=player@club.test',
  '/dev/stripe.js',
  '/dev/stripe/control',
  '/dev/stripe/control.json',
]

/** As nginx with only `proxy_pass http://127.0.0.1:PORT;`: sends our own host name, and no header that shows a proxy. */
async function plainProxy(server: TestServer): Promise<string> {
  const target = new URL(server.address)
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, host: target.host, connection: 'close' }
    const { method, url: path } = incoming
    const asked = request({ host: target.hostname, port: target.port, method, path, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(outgoing)
    })
    incoming.pipe(asked)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

describe('a demo with PUBLIC_URL, behind a proxy that sends no header of its own', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ env: { PUBLIC_URL: 'https://demo.example.com' } })
    await signIn(server, 'player@club.test')
  })
  afterAll(() => server.close())

  test.each(PAGES)('refuses %s', async (page) => {
    const reply = await fetch(`${await plainProxy(server)}${page}`)
    expect(reply.status).toBe(403)
    expect(await reply.text()).not.toMatch(/\d{8}|touchline/i)
  })

  test('shows mails with the secret that it printed', async () => {
    const url = `${await plainProxy(server)}/dev/mail.json?to=player@club.test&secret=${server.deps.keys.devSecret}`
    expect(await (await fetch(url)).json()).toHaveLength(1)
  })

  test('still serves its API', async () => {
    expect((await fetch(`${await plainProxy(server)}/api/health`)).status).toBe(200)
  })
})

describe('a demo with TRUST_PROXY and without PUBLIC_URL', () => {
  test.each(PAGES)('refuses %s', async (page) => {
    const server = await startServer({ env: { TRUST_PROXY: 'loopback' } })
    onTestFinished(() => server.close())
    expect((await fetch(`${server.address}${page}`)).status).toBe(403)
  })
})

describe('a demo without PUBLIC_URL', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
    await signIn(server, 'player@club.test')
  })
  afterAll(() => server.close())

  test('shows its pages to this machine', async () => {
    for (const page of PAGES) expect((await fetch(`${server.address}${page}`)).status, page).toBe(200)
  })

  // nginx before 1.29.7 sends HTTP/1.0 by default, and browsers do not, so such a request comes through a proxy
  test.each(PAGES)('refuses %s over HTTP/1.0', async (page) => {
    const { hostname, port, host } = new URL(server.address)
    const reply = await new Promise<string>((resolve, reject) => {
      let text = ''
      const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(`GET ${page} HTTP/1.0\r\nHost: ${host}\r\n\r\n`))
      socket.on('data', (chunk) => (text += String(chunk)))
      socket.on('end', () => resolve(text))
      socket.on('error', reject)
    })
    expect(reply).toMatch(/^HTTP\/1\.\d 403 /)
  })
})
