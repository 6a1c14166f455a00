import { describe, expect, it } from 'vitest';
import { CampaignId, UserId } from '../../domain/ids.ts';
import { keptOffers, type OpenCampaign, type OpenOffers, offersOf } from '../../domain/offers.ts';

const ADA = UserId.parse('00000000-0000-4000-8000-0000000000a1');
const GRACE = UserId.parse('00000000-0000-4000-8000-0000000000b2');
const DAY_MS = 24 * 3_600_000;

const aCampaign = (some: Partial<OpenCampaign> = {}): OpenCampaign => ({
  id: CampaignId.parse('00000000-0000-4000-8000-00000000000a'),
  multiplier: 2,
  points: null,
  startsAt: new Date('2026-03-01T00:00:00Z'),
  endsAt: null,
  endedAt: null,
  days: null,
  hours: null,
  minSpendMinorUnits: 0,
  audience: 'all',
  isExhausted: false,
  ...some,
});

type Made = Partial<Pick<OpenOffers, 'timeZone' | 'now'>> & { at: string; storedAt?: string };

/** Whether Ada, who has bought something before, gets the campaign. */
function gets(some: Partial<OpenCampaign>, { at, storedAt, ...made }: Made, amount = 1_000) {
  const occurredAt = new Date(at);
  const open = {
    campaigns: [aCampaign(some)],
    buyers: new Set([ADA]),
    tiers: new Map(),
    timeZone: 'UTC',
    now: new Date(occurredAt.getTime() + 60_000),
    ...made,
  };
  const stored = storedAt === undefined ? {} : { storedAt: new Date(storedAt) };
  const sale = { amountMinorUnits: amount, occurredAt, ...stored };
  return offersOf(open, sale, ADA).campaigns.length === 1;
}

describe('offersOf', () => {
  it('gives nothing where nothing is open', () => {
    const sale = { amountMinorUnits: 1, occurredAt: new Date() };
    expect(offersOf(null, sale, ADA)).toEqual({ tier: null, campaigns: [] });
  });

  it.each([
    ['at its beginning', {}, '2026-03-01T00:00:00.000Z', true],
    ['before it', {}, '2026-02-28T23:59:59.999Z', false],
    ['just before its end', { endsAt: new Date('2026-03-03Z') }, '2026-03-02T23:59:59.999Z', true],
    ['at its end', { endsAt: new Date('2026-03-03Z') }, '2026-03-03T00:00:00.000Z', false],
    [
      'after somebody ended it',
      { endedAt: new Date('2026-03-02Z') },
      '2026-03-02T00:00:00Z',
      false,
    ],
    [
      'before somebody ended it',
      { endedAt: new Date('2026-03-02Z') },
      '2026-03-01T23:59:59Z',
      true,
    ],
  ])('goes by the time of the sale: %s', (_, some, at, does) => {
    expect(gets(some, { at })).toBe(does);
  });

  it('goes by the time at which a sale was stored, if that was earlier', () => {
    const endsAt = new Date('2026-03-02T00:00:00Z');
    const made = { at: '2026-03-05T00:00:00Z', storedAt: '2026-03-01T12:00:00Z' };
    expect(gets({ endsAt }, made)).toBe(true);
    expect(gets({ endsAt }, { ...made, storedAt: '2026-03-03T00:00:00Z' })).toBe(false);
  });

  it('gives nothing to a sale of more than seven days ago', () => {
    const at = '2026-03-02T00:00:00Z';
    const later = (ms: number) => new Date(Date.parse(at) + ms);
    expect(gets({}, { at, now: later(7 * DAY_MS) })).toBe(true);
    expect(gets({}, { at, now: later(7 * DAY_MS + 1) })).toBe(false);
  });

  it.each([
    ['Europe/Berlin', '2026-03-02T22:59:59.999Z', true],
    ['Europe/Berlin', '2026-03-02T23:00:00.000Z', false],
    ['Europe/Berlin', '2026-03-01T22:59:59.999Z', false],
    ['Pacific/Kiritimati', '2026-03-01T10:00:00.000Z', true],
    ['Pacific/Niue', '2026-03-03T10:59:59.999Z', true],
    ['Asia/Kathmandu', '2026-03-01T18:15:00.000Z', true],
    ['America/Sao_Paulo', '2026-03-02T02:59:59.999Z', false],
  ])('goes by the days of the shop: Monday in %s at %s is %s', (timeZone, at, does) => {
    expect(gets({ days: [1] }, { timeZone, at })).toBe(does);
  });

  it.each([
    ['08:00', '09:00', '2026-03-02T06:59:59.999Z', false],
    ['08:00', '09:00', '2026-03-02T07:00:00Z', true],
    ['08:00', '09:00', '2026-03-02T07:59:59.999Z', true],
    ['08:00', '09:00', '2026-03-02T08:00:00Z', false],
    ['23:00', '24:00', '2026-03-02T22:59:59.999Z', true],
    // On 29 March clocks go from 02:00 to 03:00; on 25 October they show 02:30 twice.
    ['02:00', '03:00', '2026-03-29T01:30:00Z', false],
    ['03:00', '04:00', '2026-03-29T01:30:00Z', true],
    ['02:00', '03:00', '2026-10-25T00:30:00Z', true],
    ['02:00', '03:00', '2026-10-25T01:30:00Z', true],
  ])('goes by the hours of the shop: %s to %s at %s is %s', (from, to, at, does) => {
    expect(gets({ hours: { from, to } }, { timeZone: 'Europe/Berlin', at })).toBe(does);
  });

  it('asks for the amount, a budget, and a first purchase', () => {
    const at = '2026-03-02T00:00:00Z';
    expect(gets({ minSpendMinorUnits: 1_000 }, { at })).toBe(true);
    expect(gets({ minSpendMinorUnits: 1_001 }, { at })).toBe(false);
    expect(gets({ isExhausted: true }, { at })).toBe(false);
    expect(gets({ audience: 'first_purchase' }, { at })).toBe(false);
    const now = new Date(at);
    const campaigns = [aCampaign({ audience: 'first_purchase' })];
    const open = { campaigns, buyers: new Set([ADA]), tiers: new Map(), timeZone: 'UTC', now };
    const sale = { amountMinorUnits: 1, occurredAt: now };
    expect(offersOf(open, sale, GRACE).campaigns).toHaveLength(1);
  });

  it('gives the tier that they have now, however late it is', () => {
    const now = new Date('2026-03-02T12:00:00Z');
    const gold = { key: 'gold', multiplier: 1.5 };
    const tiers = new Map([[ADA, gold]]);
    const open = {
      campaigns: [aCampaign({})],
      buyers: new Set<UserId>(),
      tiers,
      timeZone: 'UTC',
      now,
    };
    const month = new Date(now.getTime() - 31 * 24 * 3_600_000);
    const sale = { amountMinorUnits: 1, occurredAt: month, storedAt: month };
    expect(offersOf(open, sale, ADA)).toEqual({ tier: gold, campaigns: [] });
    expect(offersOf(open, { ...sale, occurredAt: now }, GRACE).tier).toBeNull();
  });
});

describe('keptOffers', () => {
  it('returns what gave the awards', () => {
    const { id } = aCampaign();
    const tier = { key: 'gold', multiplier: 1.5, points: 63 };
    const bonus = { id, kind: 'bonus', points: 12, cut: true } as const;
    const twice = { id, kind: 'multiplier', multiplier: 2, points: 126 } as const;
    expect(keptOffers(undefined)).toEqual({ tier: null, campaigns: [] });
    expect(keptOffers({ base: 125, tier, campaigns: [twice, bonus] })).toMatchObject({
      tier: { key: 'gold', multiplier: 1.5 },
      campaigns: [
        { id, multiplier: 2, points: null },
        { id, multiplier: null, points: 12 },
      ],
    });
  });
});
