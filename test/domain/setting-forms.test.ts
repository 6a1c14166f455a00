import { describe, expect, it } from 'vitest';
import { count, flag, list, origin, port, seconds, text } from '../../domain/setting-forms.ts';

describe('the form of a setting', () => {
  it.each([
    { name: 'port', form: port, least: 1, most: 65_535 },
    { name: 'seconds', form: seconds, least: 1, most: 86_400 },
    { name: 'count', form: count, least: 1, most: 100_000 },
  ])('$name is a whole number from $least to $most', ({ form, least, most }) => {
    expect([form.parse(`${least}`), form.parse(`${most}`)]).toEqual([least, most]);
    for (const wrong of [`${least - 1}`, `${most + 1}`, '1.5', 'x', '']) {
      expect(form.safeParse(wrong).success, wrong).toBe(false);
    }
  });

  it('text is not empty, and without the spaces around it', () => {
    expect(text.parse(' a b ')).toBe('a b');
    expect(text.safeParse(' ').success).toBe(false);
  });

  it('flag is true or false, and no other word', () => {
    expect(['true', 'false'].map((value) => flag.parse(value))).toEqual([true, false]);
    for (const wrong of ['TRUE', 'yes', '1', '']) expect(flag.safeParse(wrong).success).toBe(false);
  });

  it.each([
    [undefined, []],
    ['', []],
    ['one', ['one']],
    [' one, two,,three ,', ['one', 'two', 'three']],
  ])('list of %j has the items %j', (value, items) => {
    expect(list.parse(value)).toEqual(items);
  });

  it.each([
    ['https://api.example', 'https://api.example'],
    ['http://localhost:3000/', 'http://localhost:3000'],
    ['https://api.example/base//', 'https://api.example/base'],
  ])('origin %s is the base %s', (value, base) => {
    expect(origin.parse(value)).toBe(base);
  });

  it.each(['ftp://api.example', 'httpsx://api.example', 'xhttp://api.example', 'api.example', ''])(
    'origin is not %j',
    (wrong) => {
      expect(origin.safeParse(wrong).success).toBe(false);
    },
  );
});
