import { expect, it } from 'vitest';
import { weekToTell } from '../../domain/week.ts';

const BERLIN = 'Europe/Berlin';
const at = (time: string, zone = BERLIN) => weekToTell(new Date(time), zone);

it('tells of the week before from Monday at eight on, on the clocks of the shop', () => {
  expect(at('2026-03-16T06:59:59Z')).toMatchObject({
    isTime: false,
    next: new Date('2026-03-16T07:00:00Z'),
  });
  expect(at('2026-03-16T07:00:00Z')).toEqual({
    monday: '2026-03-16',
    week: { from: new Date('2026-03-08T23:00:00Z'), to: new Date('2026-03-15T23:00:00Z') },
    isTime: true,
    next: new Date('2026-03-23T07:00:00Z'),
  });
});

it('tells of it two days late, not later', () => {
  expect(at('2026-03-18T22:59:59Z')).toMatchObject({ isTime: true, monday: '2026-03-16' });
  expect(at('2026-03-18T23:00:00Z')).toMatchObject({ isTime: false, monday: '2026-03-16' });
});

it('has an hour less in a week in which clocks were set forward', () => {
  const { week, next } = at('2026-03-30T06:00:00Z');
  expect(week).toEqual({
    from: new Date('2026-03-22T23:00:00Z'),
    to: new Date('2026-03-29T22:00:00Z'),
  });
  expect(next).toEqual(new Date('2026-04-06T06:00:00Z'));
});

it('begins when the shop has Monday, wherever it is', () => {
  expect(at('2026-03-15T19:00:00Z', 'Pacific/Auckland')).toMatchObject({ isTime: true });
  expect(at('2026-03-16T17:59:00Z', 'Pacific/Honolulu')).toMatchObject({ isTime: false });
  expect(at('2026-03-16T18:00:00Z', 'Pacific/Honolulu')).toMatchObject({ isTime: true });
});
