import { describe, expect, it } from 'vitest';
import { Refusal } from '../../domain/errors.ts';
import { ImportId, TenantId, UserId } from '../../domain/ids.ts';
import {
  countRows,
  decideRows,
  IMPORT_STATUSES,
  isToDo,
  type MemberImport,
  requireRevertible,
  requireSum,
  takesImport,
} from '../../domain/imports.ts';

const [ada, bob] = [1, 2].map((n) => UserId.parse(`00000000-0000-4000-8000-00000000000${n}`));
const inState = (status: string) =>
  new Refusal('RULE_REJECTED', `The import is ${status}. Look at it again.`, {
    issue: 'import_state',
    params: { status },
  });
const NOTHING = { users: new Set<UserId>(), waiting: new Set<string>(), open: new Set<string>() };

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
    const before = { ...NOTHING, users: new Set(bob ? [bob] : []), waiting: new Set(['b']) };
    expect(statesOf(before)).toEqual(['matched', 'repeated', 'repeated', 'repeated', 'repeated']);
    const open = { ...NOTHING, open: new Set(['a', 'b']) };
    expect(statesOf(open)).toEqual(['repeated', 'repeated', 'matched', 'repeated', 'matched']);
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

  it('says in which state the import is', () => {
    expect(() => isToDo('revert', 'draft')).toThrow(inState('draft'));
  });
});

describe('an import', () => {
  const approvedAt = new Date('2026-03-02T12:00:00Z');
  const done: MemberImport = {
    id: ImportId.parse('00000000-0000-4000-8000-00000000000a'),
    tenantId: TenantId.parse('00000000-0000-4000-8000-00000000000b'),
    createdBy: UserId.parse('00000000-0000-4000-8000-00000000000c'),
    createdAt: approvedAt,
    approvedAt,
    status: 'done',
    rows: 1,
    points: 500,
    matched: 1,
    waiting: 0,
    repeated: 0,
    invalid: [],
    notTaken: 0,
  };
  const dayAfter = new Date('2026-03-03T12:00:00.000Z');

  it('can be taken back within 24 hours of its approval', () => {
    expect(() => requireRevertible(done, dayAfter)).not.toThrow();
    const later = new Date(dayAfter.getTime() + 1);
    expect(() => requireRevertible(done, later)).toThrow(inState('done'));
    const unapproved = { ...done, approvedAt: null };
    expect(() => requireRevertible(unapproved, new Date(0))).toThrow(inState('done'));
  });

  it('is approved by who repeats its sum', () => {
    expect(() => requireSum(done, 500)).not.toThrow();
    const message = 'The import has 500 points. Look at it again.';
    const why = { issue: 'import_changed', params: { points: 500 } } as const;
    const refusal = new Refusal('RULE_REJECTED', message, why);
    for (const sum of [499, 501]) expect(() => requireSum(done, sum)).toThrow(refusal);
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
