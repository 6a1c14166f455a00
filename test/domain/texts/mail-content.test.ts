import { expect, it } from 'vitest';
import { oneLine } from '../../../domain/texts/mail-content.ts';

it.each([
  ['Corner Café', 'Corner Café'],
  [' Shop\r\nBcc: all@example.com\u2028x\u0000', 'Shop Bcc: all@example.com x'],
  ['Shop\u202e evil', 'Shop evil'],
  ['Bäckerei 👩‍🍳', 'Bäckerei 👩‍🍳'],
])('oneLine(%j) is %j', (name, line) => {
  expect(oneLine(name)).toBe(line);
});
