// Spans of our own, which OpenTelemetry's SDK sends in batches to a collector. Loaded only where one is configured.
// Its own spans, contexts and samplers, asked for every statement, would cost more than most statements do.
import { randomFillSync } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  DiagLogLevel,
  diag,
  type HrTime,
  type SpanContext,
  SpanKind,
  type SpanStatus,
  SpanStatusCode,
  TraceFlags,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace'
import type { TracesConfig } from '../config.ts'
import { traceIdOf } from '../context.ts'
import type { Log } from '../log.ts'
import type { Attributes, OpenSpan, SpanEnd, SpanStart, Tracer } from '../tracer.ts'

const STOP_WITHIN_MS = 2000
/** A collector that is away for a night is not worth a line every two seconds. */
const TELL_AGAIN_MS = 60_000

export function createTracer({ endpoint, ratio, headers, serviceName }: Required<TracesConfig>, version: string, log: Log): Tracer {
  const otlp = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, headers })
  let told = Number.NEGATIVE_INFINITY
  const tell = (message: string, err?: Error) => {
    if (performance.now() - told < TELL_AGAIN_MS) return
    told = performance.now()
    log.warn({ endpoint, ...(err && { err }) }, message)
  }
  const exporter: SpanExporter = {
    export: (spans, done) =>
      otlp.export(spans, (result) => {
        if (result.error) tell('traces could not be sent; check OTEL_EXPORTER_OTLP_ENDPOINT and the collector', result.error)
        done(result)
      }),
    forceFlush: () => otlp.forceFlush(),
    shutdown: () => otlp.shutdown(),
  }
  // By this the SDK tells how many spans it dropped because they came faster than they could be sent.
  const logger = { ...SILENT, warn: (message: string) => tell(`traces: ${message}`) }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  const processor = new BatchSpanProcessor({ exporter, scheduledDelayMillis: 2000 })
  const source: SpanSource = {
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': serviceName, 'service.version': version })),
    scope: { name: 'adjoin', version },
    finish: (span) => processor.onEnd(span),
  }
  return {
    start: (name, start) => new PlainSpan(source, name, start, ratio),
    // A collector that is away must not hold up a stop.
    stop: () => Promise.race([processor.shutdown(), sleep(STOP_WITHIN_MS, undefined, { ref: false })]),
  }
}

const ignore = () => {}
const SILENT = { error: ignore, warn: ignore, info: ignore, debug: ignore, verbose: ignore }

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
  /** What makes milliseconds of this process those since 1970. Read again for every trace, because the machine's clock may have been set. */
  readonly #clock: number
  name: string
  readonly parentSpanContext?: SpanContext

  constructor(
    source: SpanSource,
    name: string,
    { kind = 'internal', attributes = {}, agoMs = 0, parent, decided }: SpanStart,
    ratio: number,
  ) {
    this.#source = source
    this.name = name
    this.kind = KINDS[kind]
    this.attributes = attributes
    this.#startedAt = performance.now() - agoMs
    const above = contextOf(parent)
    if (above) this.parentSpanContext = above
    this.#clock = parent instanceof PlainSpan ? parent.#clock : Date.now() - performance.now()
    this.startTime = hrTime(this.#clock + this.#startedAt)
    const traceId = above?.traceId ?? newId(16)
    const traceFlags = above && (decided || !above.isRemote) ? above.traceFlags : flagsOf(above ? newId(16) : traceId, ratio)
    this.context = { traceId, spanId: newId(8), traceFlags }
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
    const endedAt = performance.now()
    this.endTime = hrTime(this.#clock + endedAt)
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

/** Who begins a trace decides whether it is recorded: by the last 56 bits of its id, as the W3C suggests. */
const flagsOf = (traceId: string, ratio: number): TraceFlags =>
  Number.parseInt(traceId.slice(-14), 16) >= (1 - ratio) * 2 ** 56 ? TraceFlags.SAMPLED : TraceFlags.NONE

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
