import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check, type Operation, type Specification } from './checker.ts';

type Access = { write: string } | { add: string } | 'read';

/** A register: one value, which may also be appended to. */
const register: Specification<string, Access> = {
  initial: '0',
  apply(state, access) {
    if (access === 'read') return { state, answer: state };
    return { state: 'write' in access ? access.write : state + access.add, answer: 'ok' };
  },
  keyOf: (state) => state,
};

/** A first-in, first-out queue: what dequeues from an empty one gets nothing. */
const queue: Specification<string, { enqueue: string } | 'dequeue'> = {
  initial: '',
  apply(state, request) {
    if (request !== 'dequeue') return { state: state + request.enqueue, answer: 'ok' };
    return { state: state.slice(1), answer: state.slice(0, 1) };
  },
  keyOf: (state) => state,
};

const FOREVER = Number.POSITIVE_INFINITY;

function op<Request>(
  start: number,
  end: number,
  request: Request,
  answer?: string,
): Operation<Request> {
  return { request, answer, start, end };
}
const write = (start: number, end: number, value: string): Operation<Access> =>
  op(start, end, { write: value }, 'ok');
const read = (start: number, end: number, value: string): Operation<Access> =>
  op(start, end, 'read', value);
const lost = (start: number, value: string): Operation<Access> =>
  op(start, FOREVER, { write: value });

describe('check', () => {
  it.each([
    { because: 'nothing happened', history: [] },
    { because: 'one came after the other', history: [write(0, 1, '1'), read(2, 3, '1')] },
    {
      because: 'a read beside a write may see either value',
      history: [write(0, 9, '1'), read(1, 2, '0'), read(3, 4, '1')],
    },
    {
      because: 'the write that started later may come first',
      history: [write(0, 9, '1'), write(1, 8, '2'), read(10, 11, '1')],
    },
    {
      because: 'a write without an answer never took effect',
      history: [lost(0, '1'), read(1, 2, '0'), read(3, 4, '0')],
    },
    {
      because: 'a write without an answer took effect long after',
      history: [lost(0, '1'), read(1, 2, '0'), write(3, 4, '2'), read(5, 6, '2'), read(7, 8, '1')],
    },
    {
      because: 'Herlihy and Wing, figure 2: two writers, two readers, overlapping',
      history: [write(0, 10, '1'), read(5, 15, '1'), write(12, 20, '2'), read(18, 25, '2')],
    },
  ])('linearizable: $because', ({ history }) => {
    expect(check(register, history).is).toBe('linearizable');
  });

  it.each([
    {
      because: 'a stale read: the write had ended before',
      history: [write(0, 1, '1'), read(2, 3, '0')],
    },
    {
      because: 'a read that goes back: the new value was seen before the old one',
      history: [write(0, 9, '1'), read(1, 2, '1'), read(3, 4, '0')],
    },
    {
      because: 'a value that nobody wrote',
      history: [write(0, 9, '1'), read(1, 2, '2')],
    },
    {
      because: 'two readers who saw two writes in different orders',
      history: [
        write(0, 20, '1'),
        write(0, 20, '2'),
        read(1, 2, '1'),
        read(3, 4, '2'),
        read(5, 6, '1'),
      ],
    },
    {
      because: 'a lost update: both appends were confirmed, and one is missing',
      history: [op(0, 5, { add: 'a' }, 'ok'), op(0, 5, { add: 'b' }, 'ok'), read(6, 7, '0a')],
    },
    {
      because: 'a write without an answer took effect twice',
      history: [lost(0, '1'), read(1, 2, '1'), write(3, 4, '2'), read(5, 6, '2'), read(7, 8, '1')],
    },
    {
      because: 'a write without an answer took effect before it was sent',
      history: [read(0, 1, '1'), lost(2, '1')],
    },
  ])('not linearizable: $because', ({ history }) => {
    expect(check(register, history).is).toBe('not linearizable');
  });

  it('Herlihy and Wing, figure 1: a queue, its elements taken in an order it allows', () => {
    const [x, y] = [{ enqueue: 'x' }, { enqueue: 'y' }];
    const [enqueues, late] = [
      [op(0, 5, x, 'ok'), op(1, 3, y, 'ok')],
      [op(0, 2, x, 'ok'), op(3, 4, y, 'ok')],
    ];
    const dequeues = [op(6, 9, 'dequeue' as const, 'y'), op(7, 10, 'dequeue' as const, 'x')];
    expect(check(queue, [...enqueues, ...dequeues]).is).toBe('linearizable');
    const once = op(6, 9, 'dequeue' as const, 'y');
    expect(check(queue, [...late, once]).is).toBe('not linearizable');
    const twice = op(10, 11, 'dequeue' as const, 'y');
    expect(check(queue, [...enqueues, once, twice]).is).toBe('not linearizable');
  });

  it('names what cannot come next', () => {
    const [first, wrong] = [write(0, 1, '1'), read(2, 3, '2')];
    expect(check(register, [wrong, first])).toEqual({
      is: 'not linearizable',
      order: [first],
      stuck: [wrong],
    });
  });

  it('undecided beyond its limit of states', () => {
    const writes = Array.from({ length: 12 }, (_, nth) => write(0, 100, String(nth)));
    const verdict = check(register, [...writes, read(101, 102, 'none')], 1_000);
    expect(verdict.is).toBe('undecided');
  });

  it('agrees with trying every order, for any short history', () => {
    const access: fc.Arbitrary<Access> = fc.oneof(
      fc.constantFrom('1', '2').map((value) => ({ write: value })),
      fc.constant('a').map((value) => ({ add: value })),
      fc.constant<Access>('read'),
    );
    const operation = fc
      .record({
        request: access,
        value: fc.constantFrom('0', '1', '2', '0a', '1a', '2a'),
        start: fc.nat(12),
        length: fc.integer({ min: 1, max: 8 }),
        isLost: fc.integer({ min: 0, max: 4 }).map((dice) => dice === 0),
      })
      .map(({ request, value, start, length, isLost }): Operation<Access> => {
        if (isLost && request !== 'read') return op(start, FOREVER, request);
        return op(start, start + length, request, request === 'read' ? value : 'ok');
      });
    const seen = new Set<boolean>();
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 6 }), (history) => {
        const expected = hasOrder(register, history, register.initial);
        seen.add(expected);
        expect(check(register, history).is === 'linearizable').toBe(expected);
      }),
      { numRuns: 3_000, seed: 1 },
    );
    expect(seen.size).toBe(2);
  });
});

/** Tries every order and every choice of what took effect: correct by its simplicity, and slow. */
function hasOrder<State, Request>(
  specification: Specification<State, Request>,
  left: readonly Operation<Request>[],
  state: State,
): boolean {
  if (left.every(({ answer }) => answer === undefined)) return true;
  return left.some((next) => {
    if (left.some((other) => other.end < next.start)) return false;
    const applied = specification.apply(state, next.request);
    if (next.answer !== undefined && next.answer !== applied.answer) return false;
    const others = left.filter((other) => other !== next);
    return hasOrder(specification, others, applied.state);
  });
}
