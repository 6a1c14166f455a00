import { describe, expect, it } from 'vitest';
import { formatTraceparent, parseTraceparent, spanIdOfRun } from '../../domain/trace-context.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

describe('a traceparent', () => {
  it.each([
    ['00', false],
    ['01', true],
    ['02', false],
    ['03', true],
    ['fe', false],
    ['ff', true],
  ])('with the flags %s is of a span that is sampled: %s', (flags, isSampled) => {
    const context = { traceId, spanId, isSampled };
    expect(parseTraceparent(`00-${traceId}-${spanId}-${flags}`)).toEqual(context);
    const written = formatTraceparent(context);
    expect(written).toBe(`00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`);
  });

  it.each([
    ['of a trace of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['of a span of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['of another version', `01-${traceId}-${spanId}-01`],
    ['in capitals', `00-${traceId.toUpperCase()}-${spanId}-01`],
    ['with a short trace', `00-${traceId.slice(1)}-${spanId}-01`],
    ['with a short span', `00-${traceId}-${spanId.slice(1)}-01`],
    ['with half a flag', `00-${traceId}-${spanId}-1`],
    ['with more after it', `00-${traceId}-${spanId}-01-more`],
    ['with more before it', ` 00-${traceId}-${spanId}-01`],
    ['that is empty', ''],
    ['that is none', undefined],
  ])('%s is not read', (_, text) => {
    expect(parseTraceparent(text)).toBeUndefined();
  });

  it.each([
    ['trace', `0${'0'.repeat(30)}1`, spanId],
    ['trace', `1${'0'.repeat(31)}`, spanId],
    ['span', traceId, `${'0'.repeat(15)}1`],
    ['span', traceId, `1${'0'.repeat(15)}`],
  ])('is read with many zeros in its %s', (_, trace, span) => {
    const context = { traceId: trace, spanId: span, isSampled: true };
    expect(parseTraceparent(formatTraceparent(context))).toEqual(context);
  });
});

it('the span of a run has the first sixteen digits of the id of the run', () => {
  expect(spanIdOfRun('0198c0de-1234-7abc-8def-0123456789ab')).toBe('0198c0de12347abc');
});
