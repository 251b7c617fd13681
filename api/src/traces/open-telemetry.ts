// Spans of our own, which OpenTelemetry's SDK sends in batches to a collector. Loaded only where one is configured.
// Its own spans, contexts and samplers, asked for every statement, would cost more than most statements do.
import { randomFillSync } from 'node:crypto'
import { type HrTime, type SpanContext, SpanKind, type SpanStatus, SpanStatusCode, TraceFlags } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace'
import type { TracesConfig } from '../config.ts'
import { traceIdOf } from '../context.ts'
import type { Log } from '../log.ts'
import type { Attributes, OpenSpan, SpanEnd, SpanStart, Tracer } from '../tracer.ts'

/** A collector that is away for a night is not worth a line every two seconds. */
const TELL_AGAIN_MS = 60_000

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
  const processor = new BatchSpanProcessor({ exporter, scheduledDelayMillis: 2000 })
  const source: SpanSource = {
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': serviceName, 'service.version': version })),
    scope: { name: 'adjoin', version },
    finish: (span) => processor.onEnd(span),
  }
  return {
    start: (name, start) => new PlainSpan(source, name, start, contextOf(start.parent), ratio),
    stop: () => processor.shutdown(),
  }
}

interface SpanSource {
  readonly resource: Resource
  readonly scope: { readonly name: string; readonly version: string }
  finish(span: ReadableSpan): void
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }
const UNSET = { code: SpanStatusCode.UNSET }
const NOTHING: [] = []

/** Both what we open and end, and what the SDK sends. */
class PlainSpan implements OpenSpan, ReadableSpan {
  readonly kind: SpanKind
  readonly context: SpanContext
  readonly startTime: HrTime
  endTime: HrTime = [0, 0]
  duration: HrTime = [0, 0]
  status: SpanStatus = UNSET
  attributes: Attributes
  readonly links = NOTHING
  readonly events = NOTHING
  readonly droppedAttributesCount = 0
  readonly droppedEventsCount = 0
  readonly droppedLinksCount = 0
  readonly ended = true // it is sent only then
  readonly #source: SpanSource
  readonly #startedAt: number
  name: string
  readonly parentSpanContext?: SpanContext

  constructor(
    source: SpanSource,
    name: string,
    { kind = 'internal', attributes = {}, startedAt }: SpanStart,
    parent: SpanContext | undefined,
    ratio: number,
  ) {
    this.#source = source
    this.name = name
    this.kind = KINDS[kind]
    this.attributes = attributes
    this.#startedAt = startedAt ?? now()
    this.startTime = hrTime(this.#startedAt)
    if (parent) this.parentSpanContext = parent
    const traceId = parent?.traceId ?? newId(16)
    this.context = { traceId, spanId: newId(8), traceFlags: parent?.traceFlags ?? flagsOf(traceId, ratio) }
  }

  get resource() {
    return this.#source.resource
  }
  get instrumentationScope() {
    return this.#source.scope
  }
  get traceId() {
    return this.context.traceId
  }
  get recorded() {
    return (this.context.traceFlags & TraceFlags.SAMPLED) !== 0
  }
  get traceparent() {
    const { traceId, spanId } = this.context
    return `00-${traceId}-${spanId}-${this.recorded ? '01' : '00'}`
  }
  spanContext() {
    return this.context
  }

  end({ name, attributes, error }: SpanEnd = {}) {
    if (!this.recorded) return
    const endedAt = now()
    this.endTime = hrTime(endedAt)
    this.duration = hrTime(endedAt - this.#startedAt)
    if (name) this.name = name
    if (attributes) this.attributes = { ...this.attributes, ...attributes }
    if (error) {
      this.status = { code: SpanStatusCode.ERROR }
      this.attributes = { ...this.attributes, 'error.type': error }
    }
    this.#source.finish(this)
  }
}

/** What it is a part of: a span of ours, or of a caller whose trace goes on with us. */
function contextOf(parent: SpanStart['parent']): SpanContext | undefined {
  if (parent instanceof PlainSpan) return parent.context
  if (typeof parent !== 'string' || !traceIdOf(parent)) return undefined
  const [, traceId, spanId, flags] = parent.split('-') as [string, string, string, string]
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}

/** Who begins a trace decides whether it is recorded: by the last 56 bits of its id, as everybody does who decides like this. */
const flagsOf = (traceId: string, ratio: number): TraceFlags =>
  Number.parseInt(traceId.slice(-14), 16) >= (1 - ratio) * 2 ** 56 ? TraceFlags.SAMPLED : TraceFlags.NONE

/** Milliseconds since 1970, with their fractions. */
const now = () => performance.timeOrigin + performance.now()

const hrTime = (ms: number): HrTime => {
  const seconds = Math.trunc(ms / 1000)
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)]
}

/** Random bytes, fetched many at a time. */
const random = Buffer.alloc(4096)
let used = random.length
function newId(bytes: 8 | 16): string {
  if (used + bytes > random.length) {
    randomFillSync(random)
    used = 0
  }
  used += bytes
  return random.toString('hex', used - bytes, used)
}
