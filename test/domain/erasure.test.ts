import { describe, expect, it } from 'vitest';
import { erasureStatusOf, isErasable, requireErasable } from '../../domain/erasure.ts';
import { Refusal } from '../../domain/errors.ts';

const at = new Date('2026-01-15T10:00:00Z');
const never = { withdrawnAt: null, begunAt: null, doneAt: null };

describe('an erasure', () => {
  it.each([
    { times: {}, status: 'scheduled' },
    { times: { withdrawnAt: at }, status: 'withdrawn' },
    { times: { begunAt: at }, status: 'running' },
    { times: { begunAt: at, doneAt: at }, status: 'done' },
  ])('is $status', ({ times, status }) => {
    expect(erasureStatusOf({ ...never, ...times })).toBe(status);
  });
});

describe('who is erased', () => {
  it.each([
    { role: 'consumer', isOperator: false, byPerson: true, byAdmin: true },
    { role: 'consumer', isOperator: true, byPerson: false, byAdmin: true },
    { role: 'pos_operator', isOperator: true, byPerson: false, byAdmin: true },
    { role: 'client', isOperator: false, byPerson: false, byAdmin: false },
    { role: 'admin', isOperator: true, byPerson: false, byAdmin: false },
  ] as const)('$role, operator $isOperator', ({ byPerson, byAdmin, ...person }) => {
    expect(isErasable(person, 'person')).toBe(byPerson);
    expect(isErasable(person, 'admin')).toBe(byAdmin);
  });

  it('is told what to do', () => {
    const refusal = (message: string) => new Refusal('RULE_REJECTED', message, 'not_erasable');
    const staff = { role: 'pos_operator', isOperator: true } as const;
    expect(() => requireErasable(staff, 'person')).toThrow(
      refusal('You work at a till, or did in the last 90 days. Ask support to erase you.'),
    );
    expect(() => requireErasable(staff, 'admin')).not.toThrow();
    const owner = { role: 'client', isOperator: false } as const;
    const close =
      'Merchants and administrators are not erased. Close the shop, or change the role, first.';
    for (const by of ['person', 'admin'] as const) {
      expect(() => requireErasable(owner, by)).toThrow(refusal(close));
    }
  });
});
