import { trace } from '@opentelemetry/api';
import { describe, expect, it, vi } from 'vitest';
import { currentTraceparent, inSpan } from '../../../gateways/telemetry/spans.ts';

const CAUSE = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const OPTIONS = { kind: 'server', attributes: { some: 1 }, causes: [CAUSE] } as const;

// What spans hold, once there is a tracer, is tested in tracing.test.ts.
describe('inSpan, without a tracer', () => {
  it('does the work, and makes no span', async () => {
    const tracers = vi.spyOn(trace, 'getTracer');
    const contexts = vi.spyOn(trace, 'setSpanContext');
    const work = inSpan('work', OPTIONS, async (span) => {
      span.rename('better');
      span.add({ more: 2 });
      span.fail();
      return currentTraceparent() ?? 'no trace';
    });
    expect(await work).toBe('no trace');
    expect([tracers.mock.calls, contexts.mock.calls]).toEqual([[], []]);
    vi.restoreAllMocks();
  });

  it('throws what the work throws', async () => {
    const error = new Error('failed');
    await expect(inSpan('work', OPTIONS, () => Promise.reject(error))).rejects.toBe(error);
  });
});
