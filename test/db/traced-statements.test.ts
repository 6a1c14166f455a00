import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { beforeEach, expect, it } from 'vitest';
import { inSpan } from '../../gateways/telemetry/spans.ts';
import { useDatabase } from '../support/fixtures.ts';

const recorded = new InMemorySpanExporter();
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(recorded)] }),
);
const { db } = await useDatabase();
beforeEach(() => recorded.reset());

const statements = () => recorded.getFinishedSpans().filter(({ name }) => name !== 'work');
const within = <T>(work: () => Promise<T>) => inSpan('work', { kind: 'internal' }, work);

it('makes a statement of a traced work a span, without the values', async () => {
  const [{ n }] = (await within(() => db.raw('select ?::int as n', [41_000_007]))).rows;
  expect(n).toBe(41_000_007);
  const [span] = statements();
  expect(span?.name).toBe('SELECT');
  expect(span?.attributes).toEqual({
    'db.system.name': 'postgresql',
    'db.operation.name': 'SELECT',
    'db.query.text': 'select $1::int as n',
  });
});

it('keeps of a failure the code only', async () => {
  const failing = within(() => db.raw("select 'secret'::text::int + ?::int", [1]));
  await expect(failing).rejects.toThrow();
  const [span] = statements();
  expect(span?.status).toEqual({ code: SpanStatusCode.ERROR });
  expect(span?.attributes['db.response.status_code']).toBe('22P02');
  expect(span?.events).toEqual([]);
});

it('makes none of a statement that nobody traces', async () => {
  await db.raw('select 1');
  expect(statements()).toEqual([]);
});
