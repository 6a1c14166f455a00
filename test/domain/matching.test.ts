import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  inAscii,
  isSameMailbox,
  matchConsumer,
  nationalDigits,
  normaliseEmail,
  normalisePhone,
  writtenForms,
} from '../../domain/matching.ts';

describe('normaliseEmail', () => {
  it.each([
    {
      text: ' Ada@Example.COM\t',
      email: 'ada@example.com',
      because: 'spaces and case are ignored',
    },
    {
      text: 'ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ',
      email: 'ada@example.com',
      because: 'full-width letters are converted',
    },
    { text: '\u00a0ada@example.com\u3000', email: 'ada@example.com', because: 'spaces are cut' },
    { text: 'jose\u0301@example.com', email: 'jos\u00e9@example.com', because: 'it is composed' },
    { text: 'ﬁ@example.com', email: 'fi@example.com', because: 'ligatures are expanded' },
    {
      text: 'a+b.c@example.com',
      email: 'a+b.c@example.com',
      because: 'a tag is part of the address',
    },
    { text: '', email: null, because: 'it is empty' },
    { text: '   ', email: null, because: 'it is blank' },
    { text: null, email: null, because: 'it is missing' },
    { text: undefined, email: null, because: 'it is missing' },
    { text: 'ada', email: null, because: 'it has no @' },
    { text: '@example.com', email: null, because: 'nothing precedes the @' },
    { text: 'ada@', email: null, because: 'nothing follows the @' },
    { text: 'ada@evil@example.com', email: null, because: 'it has two @' },
    { text: 'ada @example.com', email: null, because: 'it contains a space' },
    { text: 'ada\u0000@example.com', email: null, because: 'Postgres cannot hold a NUL' },
    { text: 'ada\u0007@example.com', email: null, because: 'it has a control character' },
  ])('returns $email for $text because $because', ({ text, email }) => {
    expect(normaliseEmail(text)).toBe(email);
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.emailAddress(), fc.string({ unit: 'grapheme' }), (address, prefix) => {
        const email = normaliseEmail(prefix + address);
        expect(normaliseEmail(email)).toBe(email);
      }),
    );
  });

  it('returns the same for any case and width of an address', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        const wide = address.replace(/[a-z]/g, (letter) =>
          String.fromCharCode(letter.charCodeAt(0) + 0xfee0),
        );
        expect(normaliseEmail(address.toUpperCase())).toBe(normaliseEmail(address));
        expect(normaliseEmail(` ${wide} `)).toBe(normaliseEmail(address));
      }),
    );
  });
});

describe('inAscii', () => {
  it.each([
    ['ann@münchen.de', 'ann@xn--mnchen-3ya.de'],
    ['ann@xn--mnchen-3ya.de', 'ann@xn--mnchen-3ya.de'],
    ['jörg@shop.example', 'jörg@shop.example'],
    ['ann@日本.example', 'ann@xn--wgv71a.example'],
    ['ann@mün/chen.de', 'ann@mün/chen.de'],
    ['ann@münchen:80', 'ann@münchen:80'],
    ['ann@münchen%2e.de', 'ann@münchen%2e.de'],
    ['ann@xn--ü.de', 'ann@xn--ü.de'],
    // What is before the @ is no part of an address of the web.
    ['ann/50%@münchen.de', 'ann/50%@xn--mnchen-3ya.de'],
    ['ann@127.1', 'ann@127.1'],
  ])('of %s is %s', (email, ascii) => {
    expect(inAscii(email)).toBe(ascii);
    expect(inAscii(ascii)).toBe(ascii);
  });
});

describe('isSameMailbox', () => {
  it.each([
    { text: 'Ada@Example.COM', is: true, because: 'it differs in case only' },
    { text: '\u00a0ada@example.com\u3000', is: true, because: 'it differs in outer blanks only' },
    { text: 'ａda@example.com', is: false, because: 'a full-width letter may be another mailbox' },
    { text: 'ﬁ@example.com', is: false, because: 'a ligature may be another mailbox' },
    { text: null, is: true, because: 'nothing was written' },
  ])('returns $is for $text because $because', ({ text, is }) => {
    expect(isSameMailbox(text)).toBe(is);
  });
});

describe('normalisePhone', () => {
  it.each([
    {
      text: '+1-212-555-4240',
      country: undefined,
      phone: '+12125554240',
      because: 'it has its country code',
    },
    {
      text: '+41 44 668 18 00',
      country: 'US',
      phone: '+41446681800',
      because: 'its country code takes precedence',
    },
    {
      text: '044 668 18 00',
      country: 'CH',
      phone: '+41446681800',
      because: 'it gets the country’s code',
    },
    {
      text: '(212) 555-4240',
      country: 'us',
      phone: '+12125554240',
      because: 'the country may be in lower case',
    },
    {
      text: '0041446681800',
      country: 'CH',
      phone: '+41446681800',
      because: '00 is the country’s prefix for +',
    },
    {
      text: '+４１４４６６８１８００',
      country: null,
      phone: '+41446681800',
      because: 'full-width digits are converted',
    },
    { text: '044 668 18 00', country: undefined, phone: null, because: 'no country is known' },
    { text: '044 668 18 00', country: null, phone: null, because: 'no country is known' },
    { text: '044 668 18 00', country: 'XX', phone: null, because: 'there is no such country' },
    { text: '+41 44 668 18', country: 'CH', phone: null, because: 'it is too short' },
    { text: '+1 000 000 0000', country: 'US', phone: null, because: 'its area is unknown' },
    { text: '12', country: 'US', phone: null, because: 'it is not a number' },
    { text: 'call me', country: 'US', phone: null, because: 'it is not a number' },
    { text: '', country: 'US', phone: null, because: 'it is empty' },
    { text: null, country: 'US', phone: null, because: 'it is missing' },
  ])('returns $phone for $text in $country because $because', ({ text, country, phone }) => {
    expect(normalisePhone(text, country)).toBe(phone);
  });

  it('returns E.164 or null for any text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, country) => {
        expect(normalisePhone(text, country) ?? '+1').toMatch(/^\+\d{1,15}$/);
      }),
    );
  });
});

describe('nationalDigits', () => {
  it.each([
    { text: '(415) 555-2671', digits: '4155552671' },
    { text: 'Tel. 079/123 45 67', digits: '0791234567' },
    { text: '٠٧٩ ١٢٣', digits: '079123' },
    { text: '+41 79 123 45 67', digits: null },
    { text: 'none', digits: null },
    { text: '', digits: null },
    { text: null, digits: null },
  ])('$text has $digits', ({ text, digits }) => {
    expect(nationalDigits(text)).toBe(digits);
  });
});

describe('writtenForms', () => {
  it.each([
    { phone: '+14155552671', country: 'US', texts: ['(415) 555-2671', '1 415 555 2671'] },
    {
      phone: '+41791234567',
      country: 'CH',
      texts: ['079 123 45 67', '79 123 45 67', '0041 79 1234567'],
    },
    { phone: '+49791234567', country: 'DE', texts: ['0791 234567', '0049791234567'] },
    { phone: '+390612345678', country: 'IT', texts: ['06 1234 5678'] },
    { phone: '+5491123456789', country: 'AR', texts: ['011 15-2345-6789', '9 11 2345-6789'] },
    { phone: '+79123456789', country: 'RU', texts: ['8 (912) 345-67-89', '912 345-67-89'] },
    { phone: '+41791234567', country: 'US', texts: ['011 41 79 123 45 67'] },
  ])('$phone may be written as $texts in $country', ({ phone, country, texts }) => {
    const forms = writtenForms(phone);
    for (const text of texts) {
      expect(normalisePhone(text, country)).toBe(phone);
      expect(forms).toContain(nationalDigits(text));
    }
  });

  it('are none of what is no number', () => {
    expect(writtenForms('')).toEqual([]);
  });
});

describe('matchConsumer', () => {
  it.each([
    { byEmail: 'ada', byPhone: null, user: 'ada', by: 'email', conflict: false },
    { byEmail: null, byPhone: 'bob', user: 'bob', by: 'phone', conflict: false },
    { byEmail: 'ada', byPhone: 'ada', user: 'ada', by: 'email', conflict: false },
    { byEmail: 'ada', byPhone: 'bob', user: 'ada', by: 'email', conflict: true },
    { byEmail: null, byPhone: null, user: null, by: null, conflict: false },
  ])('matches $user by e-mail $byEmail, phone $byPhone', ({ byEmail, byPhone, ...match }) => {
    expect(matchConsumer(byEmail, byPhone)).toEqual(match);
  });
});
