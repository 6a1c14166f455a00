import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  advance,
  idOf,
  type Position,
  partway,
  positionOf,
  type State,
} from '../../../api/streams/position.ts';

const NOW = 1_768_471_200_000;
const ADA = 'consumer 5b2f0d3e-0c1f-4f6e-9a3b-7f1d2c3e4a5b';

const state = (id: string, changedMs: number, version = '1'): State => {
  return { kind: 'wallet', id, version, changedMicros: changedMs * 1_000 };
};
const at = (sinceMs: number, seen: Position['seen'] = new Set()): Position => {
  return { sinceMicros: sinceMs * 1_000, seen, readAtMs: sinceMs + 1_000 };
};
const reading = (sinceMs: number, states: State[]) => ({ ...at(sinceMs), states });
const idsOf = (states: readonly State[]) => states.map(({ id }) => id);

describe('advance', () => {
  it('tells what is new, and afterwards does not tell it again', () => {
    const first = advance(at(NOW), reading(NOW, [state('a', NOW + 1), state('b', NOW + 2)]));
    expect(idsOf(first.fresh)).toEqual(['a', 'b']);
    const second = advance(first.next, reading(NOW, [state('a', NOW + 1), state('b', NOW + 2)]));
    expect(second.fresh).toEqual([]);
  });

  it('tells a later state of the same resource', () => {
    const { next } = advance(at(NOW), reading(NOW, [state('a', NOW + 1)]));
    const { fresh } = advance(next, reading(NOW, [state('a', NOW + 1, '2')]));
    expect(idsOf(fresh)).toEqual(['a']);
  });

  it('keeps only the states that a later reading can find again', () => {
    const { next } = advance(
      at(NOW),
      reading(NOW + 10, [state('a', NOW + 1), state('b', NOW + 10)]),
    );
    expect([...next.seen]).toHaveLength(1);
    expect(next.sinceMicros).toBe((NOW + 10) * 1_000);
  });
});

describe('the id of an event', () => {
  it('is read by any process as the same position', () => {
    const { next } = advance(at(NOW), reading(NOW, [state('a', NOW + 1)]));
    expect(positionOf(ADA, idOf(ADA, next), NOW + 5_000)).toEqual(next);
  });

  it('fits into a header, however much was seen', () => {
    const states = Array.from({ length: 100 }, (_, nth) => state(`s${nth}`, NOW + 1));
    const { next } = advance(at(NOW), reading(NOW, states));
    expect(idOf(ADA, next)).toMatch(/^[\w.-]{1,200}$/);
  });

  it('is unknown to another person, and to the shop of the same id', () => {
    const id = idOf(ADA, at(NOW));
    expect(positionOf(ADA, id, NOW)).toBeDefined();
    expect(positionOf('consumer 00000000-0c1f-4f6e-9a3b-7f1d2c3e4a5b', id, NOW)).toBeUndefined();
    expect(positionOf(ADA.replace('consumer', 'shop'), id, NOW)).toBeUndefined();
  });

  it('expires after ten minutes', () => {
    const id = idOf(ADA, at(NOW));
    const readAtMs = NOW + 1_000;
    expect(positionOf(ADA, id, readAtMs + 600_000)).toBeDefined();
    expect(positionOf(ADA, id, readAtMs + 600_001)).toBeUndefined();
  });

  it('is unknown where it would have all that ever changed read, or nothing', () => {
    const owner = idOf(ADA, at(NOW)).split('.')[0];
    const made = (sinceMs: number, readAtMs: number) =>
      `${owner}.${(sinceMs * 1_000).toString(36)}.${readAtMs.toString(36)}`;
    expect(positionOf(ADA, made(NOW, NOW), NOW)).toBeDefined();
    expect(positionOf(ADA, made(0, NOW), NOW)).toBeUndefined();
    expect(positionOf(ADA, made(NOW + 60_000, NOW), NOW)).toBeUndefined();
    expect(positionOf(ADA, made(NOW + 60_000, NOW + 60_000), NOW)).toBeUndefined();
  });

  it('is unknown for whatever else is sent', () => {
    fc.assert(fc.property(fc.string(), (text) => positionOf(ADA, text, NOW) === undefined));
    const owner = idOf(ADA, at(NOW)).split('.')[0];
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        (one, other) => positionOf(ADA, `${owner}.${one}.${other}`, NOW) === undefined,
      ),
    );
  });
});

describe('partway', () => {
  it('misses nothing and repeats nothing of what was cut off, wherever it was', () => {
    const changes = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.nat(5)), {
      maxLength: 9,
    });
    fc.assert(
      fc.property(changes, fc.nat(9), fc.nat(20), (all, cut, watermark) => {
        const states = all.map(([ms, version], nth) => state(`s${nth}`, NOW + ms, `${version}`));
        const from = at(NOW);
        const { fresh } = advance(from, reading(NOW + watermark, states));
        const sent = fresh.slice(0, cut);
        const id = idOf(ADA, partway(from, sent));
        const resumed = positionOf(ADA, id, NOW + 2_000);
        expect(resumed).toBeDefined();
        const rest = advance(resumed ?? from, reading(NOW + watermark, states)).fresh;
        expect(idsOf([...sent, ...rest])).toEqual(idsOf(states));
      }),
    );
  });
});
