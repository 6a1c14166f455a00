/** The Temporal header that carries the span from which a run, or a step of it, was started. */
export const TRACE_HEADER = 'traceparent';

/** Where a span is in its trace, as W3C Trace Context says it. */
export type TraceContext = { traceId: string; spanId: string; isSampled: boolean };

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const SAMPLED = 0x01;

/** Reads a `traceparent` (https://www.w3.org/TR/trace-context/); undefined for any other text. */
export function parseTraceparent(text: unknown): TraceContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(String(text)) ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

/** Writes a context as a `traceparent`. */
export function formatTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/**
 * Returns the id of a run's own span. It follows from the run's id, so that each replay gives the
 * same to what the run starts.
 */
export function spanIdOfRun(runId: string): string {
  return runId.replaceAll('-', '').slice(0, 16);
}

/** A run that has ended, for its span. Times are in milliseconds since 1970, the run's own. */
export type EndedRun = {
  /** The `traceparent` of what started it. */
  startedBy: string;
  startedAt: number;
  endedAt: number;
  hasFailed: boolean;
  correlationIds: readonly string[];
};
