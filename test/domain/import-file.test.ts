import { describe, expect, it } from 'vitest';
import { type IssueCode, Refusal } from '../../domain/errors.ts';
import { readRow, splitFile, sumUp } from '../../domain/import-file.ts';

const HEADER = 'email,phone,points\r\n';
const read = (csv: string, country: string | null = 'DE') =>
  splitFile(HEADER + csv).map((row) => readRow(row, country));
const refused = (code: IssueCode, message: string) =>
  new Refusal('VALIDATION_ERROR', `The file ${message}. Correct it.`, [
    { path: 'csv', code, message },
  ]);
const OTHER_HEADER = 'has to begin with the line email,phone,points';

describe('splitFile', () => {
  it('splits RFC 4180: quotes, either line end, a byte order mark; lines are counted', () => {
    const csv = `\ufeff${HEADER}a@b.example,,10\n\r\n"x\ny",,3\r\n"q""@b.example",+49,5`;
    expect(splitFile(csv)).toEqual([
      { line: 2, fields: ['a@b.example', '', '10'] },
      { line: 4, fields: ['x\ny', '', '3'] },
      { line: 6, fields: ['q"@b.example', '+49', '5'] },
    ]);
    const withReturns = csv.replaceAll(/\r?\n/g, '\r\n');
    expect(splitFile(withReturns).map(({ line }) => line)).toEqual([2, 4, 6]);
  });

  it.each([
    ['another header', 'email;phone;points\n', OTHER_HEADER],
    ['no header', '', OTHER_HEADER],
    ['an open quote', `${HEADER}"a,,1\n`, 'is not in quotes as it should be, in line 2'],
    ['a quote within a field', `${HEADER}\na"b",,1`, 'is not in quotes as it should be, in line 3'],
  ])('refuses %s', (_, csv, message) => {
    expect(() => splitFile(csv)).toThrow(refused('invalid', message));
  });

  it('takes 1 MiB, and no more', () => {
    const most = HEADER + 'é'.repeat((1024 * 1024 - HEADER.length) / 2);
    expect(splitFile(most)).toHaveLength(1);
    expect(() => splitFile(`${most}e`)).toThrow(refused('too_big', 'is larger than 1 MiB'));
  });

  it('takes 10,000 rows, and no more', () => {
    const rows = 'a@b.example,,1\n'.repeat(10_000);
    expect(splitFile(HEADER + rows)).toHaveLength(10_000);
    expect(() => splitFile(`${HEADER}${rows}a@b.example,,1\n`)).toThrow(
      refused('too_big', 'has 10001 rows, and may have 10000'),
    );
  });
});

describe('readRow', () => {
  it('goes by the e-mail as it is compared, or else by the phone of the country', () => {
    expect(
      read(' Ada@BÜCHER.example ,+4915123456789,1\n,0151 23456789,2\nno,+4915123456789,3'),
    ).toEqual([
      { line: 2, points: 1, contact: { kind: 'email', text: 'ada@xn--bcher-kva.example' } },
      { line: 3, points: 2, contact: { kind: 'phone', text: '+4915123456789' } },
      { line: 4, points: 3, contact: { kind: 'phone', text: '+4915123456789' } },
    ]);
  });

  it('does not count the blanks around a field', () => {
    expect(read(' , +4915123456789 , 5 \n , ,1')).toEqual([
      { line: 2, points: 5, contact: { kind: 'phone', text: '+4915123456789' } },
      { line: 3, code: 'required' },
    ]);
  });

  it.each([
    ['too few fields', 'a@b.example,1', 'invalid'],
    ['too many fields', 'a@b.example,,1,2', 'invalid'],
    ['no contact', ',,1', 'required'],
    ['no e-mail', 'ada,,1', 'invalid_format'],
    ['no phone', ',123,1', 'invalid_format'],
    ['no points', 'a@b.example,,', 'required'],
    ['points in words', 'a@b.example,,ten', 'invalid_format'],
    ['a part of a point', 'a@b.example,,1.5', 'invalid_format'],
    ['0 points', 'a@b.example,,0', 'too_small'],
    ['points below 0', 'a@b.example,,-5', 'too_small'],
    ['too many points', 'a@b.example,,100001', 'too_big'],
  ])('%s is a mistake', (_, row, code) => {
    expect(read(row)).toEqual([{ line: 2, code }]);
  });

  it('takes no phone without a country code while no country is known', () => {
    expect(read(',015123456789,1', null)).toEqual([{ line: 2, code: 'invalid_format' }]);
  });
});

describe('sumUp', () => {
  it('sums up what can be taken, and names 100 mistakes', () => {
    const email = (text: string) => ({ kind: 'email', text });
    expect(sumUp(read(`a@b.example,,7\n${',,1\n'.repeat(101)}c@d.example,,8`))).toEqual({
      points: 15,
      taken: [
        { line: 2, points: 7, contact: email('a@b.example') },
        { line: 104, points: 8, contact: email('c@d.example') },
      ],
      invalid: Array.from({ length: 100 }, (_, nth) => ({ line: nth + 3, code: 'required' })),
    });
  });

  it('refuses a file without a row to take, and more than ten million points', () => {
    const none = 'has no row that can be taken';
    expect(() => sumUp(read(',,1'))).toThrow(refused('required', `${none} (line 2: required)`));
    expect(() => sumUp([])).toThrow(refused('required', none));
    const row = 'a@b.example,,100000\n';
    expect(sumUp(read(row.repeat(100))).points).toBe(10_000_000);
    expect(() => sumUp(read(`${row.repeat(100)}a@b.example,,1`))).toThrow(
      refused('too_big', 'has 10000001 points in all, and may have 10000000'),
    );
  });
});
