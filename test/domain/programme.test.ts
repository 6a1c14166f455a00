import { describe, expect, it } from 'vitest';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { ProgrammeInput, timeZoneFor } from '../../domain/programme.ts';

const now = new Date('2026-03-01T09:00:00Z');

describe('ProgrammeInput', () => {
  it('has a default for all that is left out', () => {
    expect(ProgrammeInput.parse({})).toEqual({
      validityMonths: null,
      expiryNoticeDays: 14,
      returnWindowDays: 0,
      tillAttach: false,
      tiers: [],
    });
  });

  it.each([
    { returnWindowDays: 90 },
    { returnWindowDays: 14, validityMonths: 1 },
    { returnWindowDays: 90, validityMonths: 7 },
    { validityMonths: 120, expiryNoticeDays: 60 },
  ])('accepts %j', (input) => {
    expect(ProgrammeInput.safeParse(input).success).toBe(true);
  });

  it.each([
    [{ returnWindowDays: 15, validityMonths: 1 }, 'returnWindowDays'],
    [{ returnWindowDays: 85, validityMonths: 6 }, 'returnWindowDays'],
    [{ returnWindowDays: 91 }, 'returnWindowDays'],
    [{ validityMonths: 0 }, 'validityMonths'],
    [{ validityMonths: 121 }, 'validityMonths'],
    [{ expiryNoticeDays: 6 }, 'expiryNoticeDays'],
    [{ expiryNoticeDays: 61 }, 'expiryNoticeDays'],
    [{ timeZone: 'europe/berlin' }, 'timeZone'],
    [{ timeZone: '+02:00' }, 'timeZone'],
    [{ timeZone: 'EST' }, 'timeZone'],
  ])('refuses %j', (input, path) => {
    const { error } = ProgrammeInput.safeParse(input);
    expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
  });
});

describe('timeZoneFor', () => {
  const unknown = { timeZone: null, country: null };
  const isRequired = new Refusal(
    'VALIDATION_ERROR',
    'By whose clocks the shop goes is not known. Send its `timeZone`.',
    'time_zone_required',
  );
  const isSet = (timeZone: string) =>
    new Refusal(
      'VALIDATION_ERROR',
      `The time zone is ${timeZone} already. Ask support if that is wrong.`,
      { issue: 'time_zone_set', params: { timeZone } },
    );
  const isElsewhere = invalidField(
    'timeZone',
    'must be a time zone of DE: Europe/Berlin, Europe/Busingen',
  );

  it.each([
    ['that of its country', undefined, { timeZone: null, country: 'DE' }, 'Europe/Berlin'],
    ['that of its country', undefined, { timeZone: null, country: 'NP' }, 'Asia/Kathmandu'],
    ['the one that was set', undefined, { timeZone: 'Asia/Tokyo', country: 'DE' }, 'Asia/Tokyo'],
    ['the same again', 'Asia/Tokyo', { timeZone: 'Asia/Tokyo', country: 'DE' }, 'Asia/Tokyo'],
    ['one of several', 'America/Sao_Paulo', { ...unknown, country: 'BR' }, 'America/Sao_Paulo'],
    ['another of its country', 'Europe/Busingen', { ...unknown, country: 'DE' }, 'Europe/Busingen'],
    ['any where no country is known', 'Pacific/Niue', unknown, 'Pacific/Niue'],
    ['UTC where no country is known', 'UTC', unknown, 'UTC'],
    ["IANA's for an older name", 'Europe/Kiev', { ...unknown, country: 'UA' }, 'Europe/Kyiv'],
    [
      'the same by an older name',
      'Asia/Saigon',
      { ...unknown, timeZone: 'Asia/Ho_Chi_Minh' },
      'Asia/Ho_Chi_Minh',
    ],
  ])('is %s: %s', (_, asked, shop, zone) => {
    expect(timeZoneFor(asked, shop, now)).toBe(zone);
  });

  it.each([
    [undefined, unknown, isRequired],
    [undefined, { timeZone: null, country: 'BR' }, isRequired],
    ['Asia/Seoul', { timeZone: 'Asia/Tokyo', country: null }, isSet('Asia/Tokyo')],
    ['Europe/Busingen', { timeZone: 'Europe/Berlin', country: 'DE' }, isSet('Europe/Berlin')],
    ['UTC', { timeZone: null, country: 'DE' }, isElsewhere],
    ['Asia/Tokyo', { timeZone: 'Europe/Berlin', country: 'DE' }, isElsewhere],
  ])('refuses %s for %j', (asked, shop, refusal) => {
    expect(() => timeZoneFor(asked, shop, now)).toThrow(refusal);
  });
});
