// Spans by OpenTelemetry's SDK, sent in batches to a collector. Loaded only where one is configured.
// The context that spans hang together by is our own: no second one runs along with every request.
import { type Context, ROOT_CONTEXT, type Span as SdkSpan, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { TracesConfig } from '../config.ts'
import { type Span, traceIdOf } from '../context.ts'
import type { Log } from '../log.ts'
import type { OpenSpan, SpanStart, Tracer } from '../tracer.ts'

/** A collector that is away for a night is not worth a line every two seconds. */
const TELL_AGAIN_MS = 60_000

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }

export function createTracer({ endpoint, ratio, headers, serviceName }: Required<TracesConfig>, version: string, log: Log): Tracer {
  const otlp = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, headers })
  let told = Number.NEGATIVE_INFINITY
  const exporter: SpanExporter = {
    export: (spans, done) =>
      otlp.export(spans, (result) => {
        if (result.error && performance.now() - told > TELL_AGAIN_MS) {
          told = performance.now()
          log.warn({ err: result.error, endpoint }, 'traces could not be sent; check OTEL_EXPORTER_OTLP_ENDPOINT and the collector')
        }
        done(result)
      }),
    forceFlush: () => otlp.forceFlush(),
    shutdown: () => otlp.shutdown(),
  }
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': serviceName, 'service.version': version })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: 2000 })],
  })
  const tracer = provider.getTracer('adjoin', version)
  const sdkSpans = new WeakMap<Span, SdkSpan>()

  const parentContext = (parent: SpanStart['parent']): Context => {
    if (typeof parent !== 'object') return remoteContext(parent)
    const span = sdkSpans.get(parent)
    return span ? trace.setSpan(ROOT_CONTEXT, span) : ROOT_CONTEXT
  }

  return {
    start(name, { kind = 'internal', attributes, parent, startedAt }) {
      const sdk = tracer.startSpan(
        name,
        { kind: KINDS[kind], ...(attributes && { attributes }), ...(startedAt && { startTime: startedAt }) },
        parentContext(parent),
      )
      const { traceId, spanId, traceFlags } = sdk.spanContext()
      const span: OpenSpan = {
        traceId,
        traceparent: `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`,
        end({ name: better, attributes: more, error } = {}) {
          if (better) sdk.updateName(better)
          if (more) sdk.setAttributes(more)
          if (error) sdk.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', error)
          sdk.end()
        },
      }
      sdkSpans.set(span, sdk)
      return span
    },
    stop: () => provider.shutdown(),
  }
}

/** A caller's own trace goes on with us. */
function remoteContext(traceparent: string | undefined): Context {
  const traceId = traceIdOf(traceparent)
  if (!traceId) return ROOT_CONTEXT
  const [, , spanId, flags] = traceparent!.split('-') as [string, string, string, string]
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true })
}
