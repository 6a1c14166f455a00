import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { IdGenerator } from '@opentelemetry/sdk-trace-base';
import { type EndedRun, parseTraceparent, spanIdOfRun } from '../../domain/trace-context.ts';
import { CORRELATION_IDS, TRACER } from './spans.ts';

export type Tracing = {
  /** Records the span of a run of a workflow that has ended here. */
  runEnded(run: EndedRun & { runId: string; workflowId: string; workflowType: string }): void;
  /** Sends what is still to be sent, for a few seconds at most. */
  close(): Promise<void>;
};

const FLUSH_WITHIN_MS = 3_000;

/**
 * Has the process record spans and send them by OTLP. Where to, what is sampled, and how much is
 * sent at a time is read from OpenTelemetry's own names in the environment
 * (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/). Without
 * OTEL_EXPORTER_OTLP_ENDPOINT nothing is recorded, and nothing of the SDK is loaded.
 */
export async function startTracing(options: { isOn: boolean; service: string }): Promise<Tracing> {
  if (!options.isOn) return { runEnded: () => undefined, close: async () => undefined };
  const [sdk, { AsyncLocalStorageContextManager }, { OTLPTraceExporter }, resources] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/exporter-trace-otlp-proto'),
      import('@opentelemetry/resources'),
    ]);
  const { ids, withSpanId } = createIds(new sdk.RandomIdGenerator());
  const named = resources.resourceFromAttributes({ 'service.name': options.service });
  const given = resources.detectResources({ detectors: [resources.envDetector] });
  const provider = new sdk.BasicTracerProvider({
    idGenerator: ids,
    resource: resources.defaultResource().merge(named).merge(given),
    spanProcessors: [new sdk.BatchSpanProcessor(new OTLPTraceExporter())],
    forceFlushTimeoutMillis: FLUSH_WITHIN_MS,
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return {
    runEnded: (run) => recordRun(run, withSpanId),
    async close() {
      await provider.forceFlush().catch(() => undefined);
      await provider.shutdown().catch(() => undefined);
    },
  };
}

/** Makes ids at random, but for the span of a run, whose id its steps know before it is made. */
function createIds(random: IdGenerator) {
  let wanted: string | undefined;
  return {
    ids: {
      generateTraceId: () => random.generateTraceId(),
      generateSpanId() {
        const id = wanted ?? random.generateSpanId();
        wanted = undefined;
        return id;
      },
    } satisfies IdGenerator,
    withSpanId(id: string, work: () => void) {
      wanted = id;
      work();
    },
  };
}

type RecordedRun = Parameters<Tracing['runEnded']>[0];

function recordRun(run: RecordedRun, withSpanId: (id: string, work: () => void) => void): void {
  const parent = parseTraceparent(run.startedBy);
  if (parent === undefined || !parent.isSampled) return;
  const { traceId, spanId } = parent;
  const startedBy = { traceId, spanId, traceFlags: 1, isRemote: true };
  const around = trace.setSpanContext(context.active(), startedBy);
  const attributes = {
    temporalWorkflowID: run.workflowId,
    temporalRunID: run.runId,
    [CORRELATION_IDS]: [...run.correlationIds],
  };
  const options = { kind: SpanKind.INTERNAL, attributes, startTime: run.startedAt };
  withSpanId(spanIdOfRun(run.runId), () => {
    const name = `RunWorkflow:${run.workflowType}`;
    const span = trace.getTracer(TRACER).startSpan(name, options, around);
    if (run.hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(run.endedAt);
  });
}
