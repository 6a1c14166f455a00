import { describe, expect, it } from 'vitest';
import { safeErrorText } from '../../activities/safe-error-text.ts';
import { InvalidPayload, ProviderError } from '../../gateways/providers/shared/error.ts';
import { useDatabase } from '../support/fixtures.ts';

const database = await useDatabase();

describe('safeErrorText', () => {
  it.each([
    {
      error: new InvalidPayload('Invalid alpha payload: x.'),
      text: 'InvalidPayload: Invalid alpha payload: x.',
    },
    {
      error: new ProviderError('alpha answered 429 RATE_LIMITED.', 429, { code: 'RATE_LIMITED' }),
      text: 'ProviderError: alpha answered 429 RATE_LIMITED.',
    },
    {
      error: Object.assign(new Error('value "ada@example.com"'), { code: '22P02' }),
      text: 'Postgres refused it: 22P02',
    },
    {
      error: Object.assign(new Error('ada'), { code: '23505', constraint: 'users_pkey' }),
      text: 'Postgres refused it: 23505 users_pkey',
    },
    { error: 'ada@example.com', text: 'Unknown error' },
  ])('returns: $text', ({ error, text }) => {
    expect(safeErrorText(error)).toBe(text);
  });

  it('omits the values from a real error of Postgres', async () => {
    const error = await database.db
      .raw('select ?::integer', ['ada@example.com'])
      .catch((thrown: unknown) => thrown);
    expect(safeErrorText(error)).not.toContain('ada');
  });
});
