import { describe, expect, it } from 'vitest';
import { MailAddress, mailAddress } from '../../domain/mail-address.ts';

const LONG = `${'a'.repeat(243)}@shop.example`;

describe('mailAddress', () => {
  it.each([
    ['ann@shop.example', 'ann@shop.example'],
    [' Ann.B+till@Shop.Example ', 'ann.b+till@shop.example'],
    ['jürgen@müller.example', 'jürgen@müller.example'],
    ["o'neil@shop.example", "o'neil@shop.example"],
  ])('parses %j as %s', (text, address) => {
    expect(mailAddress(text)).toBe(address);
    expect(MailAddress.parse(text)).toBe(address);
  });

  it.each([
    ['', 'nothing'],
    ['ann', 'no domain'],
    ['ann@', 'an empty domain'],
    ['ann@b@c', 'two @'],
    ['ann@shop.example,eve@shop.example', 'two addresses'],
    ['ann@shop.example\r\nBcc: eve@x.example', 'a header'],
    ['ann@shop.example;', 'a list'],
    ['<ann@shop.example>', 'brackets'],
    ['all:ann@shop.example;', 'a group'],
    ['"ann b"@shop.example', 'quotes'],
    ['ann(comment)@shop.example', 'a comment'],
    ['ann@[127.0.0.1]', 'an address literal'],
    [`b${LONG}`, 'more than 254 characters'],
  ])('rejects %j: %s', (text) => {
    expect(mailAddress(text)).toBeNull();
    expect(MailAddress.safeParse(text).success).toBe(false);
  });

  it('accepts 254 characters', () => {
    const longest = LONG.slice(LONG.length - 254);
    expect(mailAddress(longest)).toBe(longest);
  });
});
