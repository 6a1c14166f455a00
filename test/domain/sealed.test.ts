import { expect, it } from 'vitest';
import { CORRELATION_HEADER } from '../../domain/correlation.ts';
import { ObjectName } from '../../domain/ids.ts';
import { Sealed } from '../../domain/sealed.ts';

it.each([
  { text: 'v1.k1.aB3_-', is: true },
  { text: 'v1.key-2_x.AAAA', is: true },
  { text: 'v2.k1.AAAA', is: false },
  { text: 'xv1.k1.AAAA', is: false },
  { text: 'v1.k1.AAAA=', is: false },
  { text: 'v1.k 1.AAAA', is: false },
  { text: 'v1..AAAA', is: false },
  { text: 'v1.k1.', is: false },
  { text: 'a plain token', is: false },
])('$text is sealed: $is', ({ text, is }) => {
  expect(Sealed.safeParse(text).success).toBe(is);
});

it.each([
  { name: `${'0af'.repeat(10)}9b.webp`, is: true },
  { name: `${'0af'.repeat(10)}9.webp`, is: false },
  { name: `x${'0af'.repeat(10)}9b.webp`, is: false },
  { name: `${'0af'.repeat(10)}9b.webp/..`, is: false },
  { name: `${'0AF'.repeat(10)}9b.webp`, is: false },
])('$name is the name of an object: $is', ({ name, is }) => {
  expect(ObjectName.safeParse(name).success).toBe(is);
});

it('keeps the header that open runs carry', () => {
  expect(CORRELATION_HEADER).toBe('correlation-ids');
});
