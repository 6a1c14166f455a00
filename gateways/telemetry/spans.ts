import {
  type Attributes,
  context,
  isSpanContextValid,
  type Link,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { formatTraceparent, parseTraceparent } from '../../domain/trace-context.ts';

// Without a tracer (see tracing.ts) all of this does nothing. An attribute holds ids, names and
// counts, never what a person or a provider has sent.

/** The name under which our spans are made. */
export const TRACER = 'loyalty-points-service';

/** An attribute with the correlation ids of the requests behind a span. */
export const CORRELATION_IDS = 'loyalty.correlation_ids';

export type SpanOptions = {
  kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  attributes?: Attributes;
  /**
   * The `traceparent` of each span that led to this one. The first is its parent, others are linked
   * to. Without any, the span that is open is the parent.
   */
  causes?: readonly string[];
};

/** What a span learns while it is open. */
export type OpenSpan = {
  rename(name: string): void;
  add(attributes: Attributes): void;
  /** Marks it as failed, although the work does not throw. */
  fail(): void;
};

/** Of a span that nobody records. */
const NO_SPAN: OpenSpan = { rename() {}, add() {}, fail() {} };

/**
 * Does work within a span, which fails if the work throws. Of an error only its type is kept.
 * Without a tracer the work is done, and nothing else.
 */
export async function inSpan<T>(
  name: string,
  { kind, attributes = {}, causes = [] }: SpanOptions,
  work: (span: OpenSpan) => Promise<T>,
): Promise<T> {
  if (!isTraced()) return work(NO_SPAN);
  const [parent, ...others] = causes.flatMap((cause) => spanContextOf(cause) ?? []);
  const around =
    parent === undefined ? context.active() : trace.setSpanContext(ROOT_CONTEXT, parent);
  const links: Link[] = others.map((each) => ({ context: each }));
  const options = { kind: KINDS[kind], attributes, links };
  return trace.getTracer(TRACER).startActiveSpan(name, options, around, async (span) => {
    const fail = () => void span.setStatus({ code: SpanStatusCode.ERROR });
    try {
      return await work({
        rename: (better) => void span.updateName(better),
        add: (more) => void span.setAttributes(more),
        fail,
      });
    } catch (error) {
      span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
      fail();
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Returns the `traceparent` of the open span, or undefined when nothing is traced. */
export function currentTraceparent(): string | undefined {
  const open = trace.getActiveSpan()?.spanContext();
  if (open === undefined || !isSpanContextValid(open)) return undefined;
  const isSampled = (open.traceFlags & TraceFlags.SAMPLED) !== 0;
  return formatTraceparent({ traceId: open.traceId, spanId: open.spanId, isSampled });
}

/** Returns the id of the trace of the open span, or undefined when nothing is traced. */
export function currentTraceId(): string | undefined {
  return trace.getActiveSpan()?.spanContext().traceId;
}

/** Until a tracer is registered, the package passes all on to one that makes spans for nobody. */
function isTraced(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || Boolean(provider.getDelegateTracer(TRACER));
}

function spanContextOf(traceparent: string): SpanContext | undefined {
  const parsed = parseTraceparent(traceparent);
  if (parsed === undefined) return undefined;
  const { traceId, spanId, isSampled } = parsed;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return { traceId, spanId, traceFlags, isRemote: true };
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;
