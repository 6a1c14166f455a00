import { describe, expect, it } from 'vitest';
import { UserId } from '../../domain/ids.ts';
import {
  countRows,
  decideRows,
  IMPORT_STATUSES,
  isToDo,
  takesImport,
} from '../../domain/imports.ts';

const [ada, bob] = [1, 2].map((n) => UserId.parse(`00000000-0000-4000-8000-00000000000${n}`));
const NOTHING = { users: new Set<UserId>(), waiting: new Set<string>() };

describe('decideRows', () => {
  const rows = [
    { id: '1', fingerprint: 'a', owner: ada ?? null },
    { id: '2', fingerprint: 'b', owner: null },
    { id: '3', fingerprint: 'c', owner: ada ?? null },
    { id: '4', fingerprint: 'b', owner: null },
    { id: '5', fingerprint: 'd', owner: bob ?? null },
  ];
  const statesOf = (before = NOTHING) => decideRows(rows, before).map(({ state }) => state);

  it('brings each person once, and has each contact wait once: the first row counts', () => {
    expect(statesOf()).toEqual(['matched', 'waiting', 'repeated', 'repeated', 'matched']);
    expect(countRows(decideRows(rows, NOTHING))).toEqual({ matched: 2, waiting: 1, repeated: 2 });
  });

  it('those of earlier imports count before all', () => {
    const before = { users: new Set(bob ? [bob] : []), waiting: new Set(['b']) };
    expect(statesOf(before)).toEqual(['matched', 'repeated', 'repeated', 'repeated', 'repeated']);
  });
});

describe('isToDo', () => {
  it.each([
    ['approve', ['yes', 'no', 'no', 'refused', 'refused', 'refused']],
    ['revert', ['refused', 'refused', 'yes', 'refused', 'no', 'no']],
    ['withdraw', ['yes', 'refused', 'refused', 'no', 'refused', 'refused']],
  ] as const)('%s', (act, expected) => {
    const answers = IMPORT_STATUSES.map((status) => {
      try {
        return isToDo(act, status) ? 'yes' : 'no';
      } catch {
        return 'refused';
      }
    });
    expect(answers).toEqual(expected);
  });
});

describe('takesImport', () => {
  it('no more than a balance can count exactly', () => {
    const balance = Number.MAX_SAFE_INTEGER - 5;
    expect(takesImport({ balance }, 5)).toBe(true);
    expect(takesImport({ balance }, 6)).toBe(false);
  });

  it('nothing once its owner was erased', () => {
    expect(takesImport({ balance: 0, isClosed: true }, 1)).toBe(false);
  });
});
