import { describe, expect, it } from 'vitest';
import { positionOf, type State } from '../../../api/streams/position.ts';
import { eventsOf, stepOf } from '../../../api/streams/telling.ts';
import { MAX_CHANGES } from '../../../db/changes/since.ts';

const NOW = 1_768_471_200_000;
const SHOP = 'shop 9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42';

const statesOf = (count: number): State[] =>
  Array.from({ length: count }, (_, nth) => {
    return { kind: 'redemption', id: `r${nth}`, version: 'used', changedMicros: NOW * 1_000 + nth };
  });
const readingOf = (count: number) => {
  return { states: statesOf(count), sinceMicros: NOW * 1_000 - 1, readAtMs: NOW };
};
const start = { sinceMicros: NOW * 1_000 - 1, readAtMs: NOW, seen: new Set<string>() };
const rendered = (count: number) =>
  new Map(statesOf(count).map(({ id }) => [id, { event: 'redemption', data: `"${id}"` }]));

describe('what a reading means to streams', () => {
  it('a stream that begins now is told nothing of before', () => {
    const step = stepOf(SHOP, undefined, readingOf(3));
    expect(eventsOf(step, rendered(3))).toEqual([]);
    expect(stepOf(SHOP, step.next, readingOf(3)).fresh).toEqual([]);
  });

  it('each event has an id of its own, from which the next ones follow', () => {
    const events = eventsOf(stepOf(SHOP, start, readingOf(3)), rendered(3));
    expect(events.map(({ data }) => data)).toEqual(['"r0"', '"r1"', '"r2"']);
    const left = events.map(({ id }) => {
      const { fresh } = stepOf(SHOP, positionOf(SHOP, id, NOW), readingOf(3));
      return fresh.map((state) => state.id);
    });
    expect(left).toEqual([['r1', 'r2'], ['r2'], []]);
  });

  it('what could not be rendered is left out, and the others are sent', () => {
    const some = rendered(3);
    some.delete('r1');
    const events = eventsOf(stepOf(SHOP, start, readingOf(3)), some);
    expect(events.map(({ data }) => data)).toEqual(['"r0"', '"r2"']);
  });

  it('more changes than are read at once: reset, and then on from there', () => {
    const reading = readingOf(MAX_CHANGES + 1);
    const step = stepOf(SHOP, start, reading);
    const [reset, ...others] = eventsOf(step, rendered(MAX_CHANGES + 1));
    expect(reset).toMatchObject({ event: 'reset', data: '{}' });
    expect(others).toEqual([]);
    expect(step.next.sinceMicros).toBe(reading.sinceMicros);
  });
});
