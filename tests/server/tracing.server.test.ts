import { describe, expect, onTestFinished, test } from 'vitest'
import { startCollector, type Collector, type Span } from '#tests/support/collector.ts'
import { freePort } from '#tests/support/free-port.ts'
import { ask } from '#tests/support/person.ts'
import { startServer } from '#tests/support/start-server.ts'
import { allocate, coachWith } from './instances/support.ts'

async function collector(): Promise<Collector> {
  const started = await startCollector()
  onTestFinished(started.close)
  return started
}

const attributesOf = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`

describe('traces', () => {
  test('have a span for each call, with its request id, and for each attempt of a job', async () => {
    const { address, spans } = await collector()
    const server = await startServer({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: address } })
    const coach = await coachWith(server, 'coach@club.test', 1)
    await allocate(server, coach, 'sam@club.test')
    await server.deps.jobs.settled('mails')
    const { headers } = await ask(server, 'GET', `user/${coach.userId}`, { bearer: coach.accessToken, headers: { traceparent: PARENT } })
    await server.close()

    const call = spans().find(({ name }) => name === 'GET /api/user/:id')
    expect(call && attributesOf(call)).toEqual({
      'http.request.method': 'GET',
      'http.route': '/api/user/:id',
      'http.response.status_code': 200,
      'touchline.request_id': headers.get('x-request-id'),
    })
    expect(BigInt(call?.endTimeUnixNano ?? 0)).toBeGreaterThan(BigInt(call?.startTimeUnixNano ?? 0))
    // there is no proxy of ours, so anybody may have written it
    expect(call?.traceId).not.toBe(TRACE)
    const job = spans().find(({ name }) => name === 'mails invitation')
    expect(job && attributesOf(job)).toEqual({ 'touchline.queue': 'mails', 'touchline.job': 'invitation', 'touchline.outcome': 'done' })
  })

  test('continue the proxy’s trace, if there is one', async () => {
    const { address, spans } = await collector()
    const server = await startServer({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: address, TRUST_PROXY: '127.0.0.1' } })
    for (const traceparent of [PARENT, 'nonsense', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`])
      await ask(server, 'GET', 'settings', { headers: { traceparent } })
    await server.close()
    const calls = spans().filter(({ name }) => name === 'GET /api/settings')
    expect(calls.map(({ traceId, parentSpanId }) => [traceId === TRACE, parentSpanId ?? ''])).toEqual([
      [true, '00f067aa0ba902b7'],
      [false, ''],
      [false, ''],
    ])
  })

  test('cover the configured share of the calls, none if it is 0', async () => {
    const { address, spans } = await collector()
    const server = await startServer({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: address, OTEL_TRACES_SAMPLER_ARG: '0' } })
    for (let i = 0; i < 20; i += 1) await ask(server, 'GET', 'settings')
    await server.close()
    expect(spans()).toEqual([])
  })

  test('delay neither calls nor a stop while the collector does not reply', async () => {
    const server = await startServer({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}` } })
    expect((await ask(server, 'GET', 'settings')).status).toBe(200)
    await server.close()
  }, 10_000)
})
