import { expect, it } from 'vitest';
import { comparedEmail, otherSpellingOf } from '../../../db/users/spelling.ts';
import { useDatabase } from '../../support/fixtures.ts';

const { db } = await useDatabase();

it.each([
  { email: 'ann@münchen.example', compared: 'ann@xn--mnchen-3ya.example' },
  { email: 'ann@xn--mnchen-3ya.example', compared: 'ann@xn--mnchen-3ya.example' },
  { email: 'ann@example.com', compared: 'ann@example.com' },
  { email: null, compared: null },
])('$email is compared as $compared', async ({ email, compared }) => {
  const ascii = otherSpellingOf(email);
  expect(ascii === email && email !== null).toBe(false);
  const { rows } = await db.raw<{ rows: { compared: string | null }[] }>(
    `select ${comparedEmail('one')} as compared
     from (values (:email::text, :ascii::text)) as one (email, ascii_email)`,
    { email, ascii },
  );
  expect(rows).toEqual([{ compared }]);
});
