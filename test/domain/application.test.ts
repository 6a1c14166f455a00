import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Application } from '../../domain/application.ts';

const application = {
  shopName: 'Corner Café',
  phone: '+1 212 555 0102',
  website: 'https://corner.example/',
  reason: 'Our guests ask for it.',
};
const longUrl = (length: number) => 'https://corner.example/'.padEnd(length, 'x');

describe('an application', () => {
  it('is kept without the spaces around its texts, and may be without a website', () => {
    const { website: _, ...rest } = application;
    expect(Application.parse(application)).toEqual(application);
    expect(
      Application.parse({
        shopName: ' Corner Café ',
        phone: ' +1 212 555 0102 ',
        reason: '\tOur guests ask for it. ',
      }),
    ).toEqual(rest);
  });

  it.each([
    ['phone', '(030) 12-34.56/7'],
    ['phone', '12345'],
    ['phone', `+${'1'.repeat(30)}`],
    ['website', longUrl(300)],
    ['reason', 'x'],
    ['reason', 'x'.repeat(500)],
  ])('may have as its %s %s', (field, value) => {
    expect(Application.parse({ ...application, [field]: value })).toHaveProperty(field, value);
  });

  it.each<[string, string | undefined, string]>([
    ['phone', '1234', 'it has four digits'],
    ['phone', '1'.repeat(31), 'it has 31 digits'],
    ['phone', 'call +49 30 123456', 'something is before it'],
    ['phone', '+49 30 123456 ext', 'something is after it'],
    ['phone', 'callus', 'it is of letters'],
    ['website', 'http://corner.example/', 'it is not encrypted'],
    ['website', 'xhttps://corner.example/', 'its scheme only ends in https'],
    ['website', 'httpsx://corner.example/', 'its scheme only begins with https'],
    ['website', 'https://corner/', 'its host is no domain'],
    ['website', longUrl(301), 'it is too long'],
    ['reason', ' ', 'it says nothing'],
    ['reason', 'x'.repeat(501), 'it is too long'],
    ['reason', undefined, 'it is missing'],
    ['shopName', undefined, 'it is missing'],
    ['phone', undefined, 'it is missing'],
  ])('may not have as its %s %s: %s', (field, value) => {
    const { error } = Application.safeParse({ ...application, [field]: value });
    expect(error?.issues.map(({ path }) => path)).toEqual([[field]]);
  });

  it('is refused in words where the phone is none', () => {
    const { error } = Application.safeParse({ ...application, phone: 'none' });
    expect(error?.issues.map(({ message }) => message)).toEqual(['must be a phone number']);
  });

  it('is explained by the document', () => {
    expect(z.toJSONSchema(Application)).toMatchObject({
      $defs: {
        Application: {
          required: ['shopName', 'phone', 'reason'],
          properties: {
            phone: { description: 'Under which the shop can be asked; nothing is matched by it.' },
            website: { description: 'Of the shop, if it has one.' },
            reason: { description: 'Why, in a sentence.' },
          },
        },
      },
    });
  });
});
