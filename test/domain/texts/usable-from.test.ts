import { expect, it } from 'vitest';
import { english } from '../../../domain/texts/english.ts';

it.each([
  ['2026-03-14T09:05:00.000Z', 'Europe/Berlin', '14 March 2026, 10:05'],
  ['2026-03-14T09:04:00.001Z', 'Europe/Berlin', '14 March 2026, 10:05'],
  ['2026-03-29T00:59:59.999Z', 'Europe/Berlin', '29 March 2026, 03:00'],
  ['2026-03-14T18:14:59.999Z', 'Asia/Kathmandu', '15 March 2026, 00:00'],
  ['2026-03-14T09:59:00.000Z', 'Pacific/Kiritimati', '14 March 2026, 23:59'],
])('says %s by the clocks of %s, rounded up to the minute: %s', (at, timeZone, minute) => {
  const sentence = { code: 'usable_from', params: { at, timeZone } } as const;
  expect(english(sentence, 'consumer')).toBe(
    `They can be used from ${minute} on, when the sale can no longer be returned.`,
  );
});
