import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Leak, scan } from './leak-scan.ts';

const EMAIL = { kind: 'e-mail', value: 'ada+till@mail.example' };
const PHONE = { kind: 'phone', value: '+4915112345678' };
const CODE = { kind: 'redemption code', value: '9F86D081884C' };
const needles = [EMAIL, PHONE, CODE];

const kindsIn = (text: string, mayHold: string[] = []): string[] =>
  scan({ needles, outputs: [{ name: 'log', text, mayHold }] }).map(({ kind }) => kind);
const encodingsIn = (text: string): string[] =>
  scan({ needles, outputs: [{ name: 'log', text }] }).map(({ encoding }) => encoding);

describe('the scan', () => {
  it.each([
    ['as it is', EMAIL.value, 'plain'],
    ['in capitals', 'ADA+TILL@MAIL.EXAMPLE', 'plain'],
    ['in an address', `?q=${encodeURIComponent(EMAIL.value)}`, 'address'],
    ['in an address in an address', encodeURIComponent(encodeURIComponent(EMAIL.value)), 'address'],
    ['in base64', Buffer.from(`{"to":"${EMAIL.value}"}`).toString('base64'), 'base64'],
    ['in hexadecimal', Buffer.from(`x${EMAIL.value}x`).toString('hex'), 'hex'],
    ['in hexadecimal capitals', Buffer.from(EMAIL.value).toString('hex').toUpperCase(), 'hex'],
    ['a phone without its plus', 'tel:4915112345678', 'phone without plus'],
    ['a code in small letters', 'GET /pos/9f86d081884c', 'plain'],
  ])('finds a value %s', (_, text, encoding) => {
    expect(encodingsIn(`before ${text} after`)).toContain(encoding);
  });

  it('finds base64 of any text around the value, at every offset', () => {
    const around = fc.string({ unit: 'binary', maxLength: 12 });
    fc.assert(
      fc.property(around, around, fc.boolean(), (before, after, isForAddresses) => {
        const bytes = Buffer.from(before + EMAIL.value + after);
        const text = bytes.toString(isForAddresses ? 'base64url' : 'base64');
        expect(kindsIn(text)).toContain('e-mail');
      }),
    );
  });

  it('finds it at the beginning, at the end, and after letters that grow in lower case', () => {
    expect(kindsIn(EMAIL.value)).toEqual(['e-mail']);
    expect(kindsIn(`İİİ ${EMAIL.value}`)).toEqual(['e-mail']);
    expect(kindsIn('ada+till@mail.exampl')).toEqual([]);
  });

  it('finds exactly what is there, among any other text', () => {
    const texts = fc.array(fc.oneof(fc.string(), fc.constantFrom(...needles.map((n) => n.value))));
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join('|');
        const there = needles.filter(({ value }) => text.includes(value));
        const found = new Set(kindsIn(text));
        for (const { kind } of there) expect(found).toContain(kind);
      }),
    );
  });

  it('reports it once per output and encoding, without showing it', () => {
    const outputs = [
      { name: 'log', text: `{"a":1} mail to ${EMAIL.value}, ${EMAIL.value}` },
      { name: 'history', text: 'nothing' },
    ];
    const [leak, ...others] = scan({ needles: [...needles, EMAIL], outputs });
    const expected: Leak = {
      kind: 'e-mail',
      output: 'log',
      encoding: 'plain',
      around: '{"a":1} mail to [e-mail]',
    };
    expect(leak).toEqual(expected);
    expect(others).toEqual([]);
  });

  it('allows what an output may hold, and nothing else', () => {
    const mail = `To: ${EMAIL.value}\nYour code is ${CODE.value}.`;
    expect(kindsIn(mail, [EMAIL.value])).toEqual(['redemption code']);
    expect(kindsIn(mail, [EMAIL.value.toUpperCase(), CODE.value])).toEqual([]);
  });

  it('refuses a value that would be found by chance', () => {
    const short = [{ kind: 'code', value: 'ABC123' }];
    expect(() => scan({ needles: short, outputs: [] })).toThrow('8 characters');
  });

  it('reads 20 MB for a thousand values within seconds', () => {
    const many = Array.from({ length: 1_000 }, (_, nth) => ({
      kind: 'token',
      value: `${nth}-${'x'.repeat(200)}-${nth}`,
    }));
    const line = '{"event":"request_served","ms":1.5}\n';
    const outputs = [{ name: 'log', text: line.repeat(600_000) }];
    expect(scan({ needles: many, outputs })).toEqual([]);
  }, 20_000);
});
