import { EventEmitter, once } from 'node:events'
import { get } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { registerCompression } from '#server/http/compression.ts'

const TEXT = JSON.stringify(Array.from({ length: 1000 }, (_, at) => `country ${at}`))

test('of many replies at once some are compressed, and all are whole; later ones are compressed again', async () => {
  const app = Fastify()
  onTestFinished(() => app.close())
  await registerCompression(app, 3)
  app.get('/countries', async (_request, reply) => reply.type('application/json').send(TEXT))
  const replyTo = async () => {
    const { headers, rawPayload } = await app.inject({ url: '/countries', headers: { 'accept-encoding': 'br' } })
    const isCompressed = headers['content-encoding'] === 'br'
    return { isCompressed, text: String(isCompressed ? brotliDecompressSync(rawPayload) : rawPayload) }
  }
  const replies = await Promise.all(Array.from({ length: 40 }, replyTo))
  const compressed = replies.filter(({ isCompressed }) => isCompressed).length
  expect(compressed).toBeGreaterThan(0)
  expect(compressed).toBeLessThan(40)
  expect(new Set(replies.map(({ text }) => text))).toEqual(new Set([TEXT]))
  expect((await replyTo()).isCompressed).toBe(true)
})

test('replies to clients that have hung up meanwhile are not counted for ever', async () => {
  const app = Fastify()
  onTestFinished(() => app.close())
  await registerCompression(app, 3)
  const arrivals = new EventEmitter()
  app.get('/countries', async (_request, reply) => reply.type('application/json').send(TEXT))
  app.get('/slow', async ({ raw }, reply) => {
    const hungUp = once(raw.socket, 'close')
    arrivals.emit('arrived')
    await hungUp
    setImmediate(() => arrivals.emit('replied'))
    return reply.type('application/json').send(TEXT)
  })
  const address = await app.listen({ port: 0 })
  for (let count = 0; count < 10; count += 1) {
    const replied = once(arrivals, 'replied')
    const arrived = once(arrivals, 'arrived')
    const request = get(`${address}/slow`, { headers: { 'accept-encoding': 'br' } }).on('error', () => undefined)
    await arrived
    request.destroy()
    await replied
  }
  const { headers } = await app.inject({ url: '/countries', headers: { 'accept-encoding': 'br' } })
  expect(headers['content-encoding']).toBe('br')
})
