import { describe, expect, it } from 'vitest';
import { invalidField, Refusal } from '../../domain/errors.ts';

describe('Refusal', () => {
  it('is an error with a code, and without issues if none are given', () => {
    const refusal = new Refusal('NOT_FOUND', 'There is no such wallet.');
    expect(refusal).toBeInstanceOf(Error);
    expect(refusal).toMatchObject({
      name: 'Refusal',
      code: 'NOT_FOUND',
      message: 'There is no such wallet.',
      issues: undefined,
    });
  });

  it('has one issue, of the request as a whole, for a code', () => {
    const { issues } = new Refusal('FORBIDDEN', 'It is frozen.', 'wallet_frozen');
    expect(issues).toEqual([{ path: '', code: 'wallet_frozen', message: 'It is frozen.' }]);
  });

  it('keeps the parameters of a code', () => {
    const why = { issue: 'insufficient_balance', params: { balance: 3 } } as const;
    const { issues } = new Refusal('INSUFFICIENT_BALANCE', 'Too few.', why);
    expect(issues).toEqual([
      { path: '', code: 'insufficient_balance', message: 'Too few.', params: { balance: 3 } },
    ]);
  });

  it('keeps the issues of fields', () => {
    const issues = [
      { path: 'name', code: 'required', message: 'It is missing.' },
      { path: 'a.b', code: 'too_big', message: 'It is too long.' },
    ] as const;
    expect(new Refusal('VALIDATION_ERROR', 'Two.', issues).issues).toEqual(issues);
  });
});

it('the refusal of a field names it, and says once more at its path what is wrong', () => {
  const refusal = invalidField('hours.to', 'must be after `from`');
  expect(refusal).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: 'hours.to must be after `from`',
    issues: [{ path: 'hours.to', code: 'invalid', message: 'must be after `from`' }],
  });
});
