import { isSpanContextValid, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context, type SpanOptions } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import type { RequestTrace } from '../http/observe-replies.ts'
import type { ReplyMetric, JobAttempt } from '../metrics/metrics.ts'

/**
 * Sends a span for each call and each try of a job to a collector that speaks OTLP over HTTP. A span has route, status and request id,
 * never an address or a value of the call (PRIVACY-7). docs/decisions/0054
 */
interface Tracing {
  replied: (reply: ReplyMetric, trace: RequestTrace) => void
  tried: (job: JobAttempt) => void
  /** Sends what is left; a collector that does not reply holds it up for seconds at most. */
  close: () => Promise<void>
}

interface TracingSettings {
  /** where the collector is, without the path */
  collector: string
  /** of calls and jobs that are traced, 0 to 1 */
  share: number
}

const EXPORT_MS = 3000

/** @param hasProxy whether there is a proxy of ours in front, whose trace the spans of calls belong to */
export function openTracing({ collector, share }: TracingSettings, hasProxy: boolean): Tracing {
  const url = `${collector.replace(/\/+$/, '')}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_MS })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'touchline' }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_MS })],
  })
  const tracer = provider.getTracer('touchline')
  const span = (name: string, seconds: number, options: SpanOptions, hasFailed: boolean, parent: Context) => {
    const end = Date.now()
    const one = tracer.startSpan(name, { ...options, startTime: end - seconds * 1000 }, parent)
    if (hasFailed) one.setStatus({ code: SpanStatusCode.ERROR })
    one.end(end)
  }
  return {
    replied: ({ method, route, status, seconds }, { requestId, traceparent }) => {
      const attributes = {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        'touchline.request_id': requestId,
      }
      span(
        `${method} ${route}`,
        seconds,
        { kind: SpanKind.SERVER, attributes },
        status >= 500,
        hasProxy ? parentOf(traceparent) : ROOT_CONTEXT,
      )
    },
    tried: ({ queue, name, outcome, seconds }) => {
      const attributes = { 'touchline.queue': queue, 'touchline.job': name, 'touchline.outcome': outcome }
      span(`${queue} ${name}`, seconds, { kind: SpanKind.CONSUMER, attributes }, outcome !== 'done', ROOT_CONTEXT)
    },
    close: () => provider.shutdown().catch(() => {}),
  }
}

// W3C trace context; what else a caller may write, such as a tracestate, is not read
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

function parentOf(header: string | string[] | undefined): Context {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(String(header)) ?? []
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
}
