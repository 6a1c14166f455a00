import { describe, expect, it } from 'vitest';
import { aModel, credited, OF_NOW, sell, settle, settled, TERMS } from './a-model.ts';
import { earnedBy } from './model/points.ts';
import { Contradiction, type Model } from './model.ts';
import type { Tier } from './steps.ts';

const SILVER: Tier = { key: 'silver', threshold: 50_000, multiplier: 1.25 };
const GOLD: Tier = { key: 'gold', threshold: 100_000, multiplier: 2 };
const YEAR = 365;

/** A shop with tiers, in which Ada has spent so much on day 0. */
function spent(amount: number, tiers: Tier[] = [SILVER, GOLD]): Model {
  const model = aModel();
  model.promised(0, null, tiers);
  credited(model, 's1', amount);
  return model;
}
const tier = (model: Model) => model.settledViews()[0]?.wallets.ada?.tier ?? null;
const night = (model: Model, day: number) => {
  model.decidedTiers(day, true);
  return tier(model);
};
const silver = { key: 'silver', since: 15, keptUntil: 15 + YEAR, multiplier: 1.25 };

describe('a tier', () => {
  it('is reached two weeks after the sale, for a year, and multiplies from then on', () => {
    const model = spent(60_000);
    expect(night(model, 14)).toBeNull();
    credited(model, 's2', 100);
    expect(night(model, 15)).toEqual(silver);
    credited(model, 's3', 100);
    const sales = model.settledViews()[0]?.sales;
    expect(sales?.s2).toMatchObject({ points: 100, tier: null });
    const given = { key: 'silver', multiplier: 1.25, points: 25 };
    expect(sales?.s3).toMatchObject({ points: 125, tier: given });
    expect(night(model, 15 + YEAR)).toBeNull();
  });

  it('counts what was refunded before the night, and stays if it is refunded later', () => {
    const before = spent(60_000);
    before.version('s1', settled(20_000));
    expect(night(before, 15)).toBeNull();
    const after = spent(60_000);
    night(after, 15);
    after.version('s1', settled(60_000));
    settle(after);
    expect(night(after, 16)).toEqual(silver);
  });

  it('rises at once and falls at the end of a term, or begins another one', () => {
    const model = spent(60_000);
    night(model, 15);
    sell(model, 's2', 50_000);
    settle(model);
    expect(night(model, 20)).toMatchObject({ key: 'gold', since: 20, keptUntil: 20 + YEAR });
    // A longer window lets the same sales count once more.
    model.promised(90, null, [SILVER, { ...GOLD, threshold: 200_000 }]);
    expect(night(model, 21)).toMatchObject({ key: 'gold', since: 20 });
    const again = 20 + YEAR;
    expect(night(model, again)).toMatchObject({ key: 'silver', since: again });
    model.promised(90, null, []);
    expect(tier(model)).toBeNull();
    model.promised(90, null, [SILVER]);
    expect(tier(model)).toMatchObject({ key: 'silver', since: again });
    expect(model.tierChanges()).toEqual([
      [
        { person: 'ada', from: null, to: 'silver', cause: 'reached' },
        { person: 'ada', from: 'silver', to: 'gold', cause: 'reached' },
        { person: 'ada', from: 'gold', to: 'silver', cause: 'term_ended' },
      ],
    ]);
  });

  it('is renewed by what still counts, and has been held since its first day', () => {
    const model = spent(60_000);
    night(model, 15);
    model.promised(90, null, [SILVER]);
    const next = { since: 15, keptUntil: 15 + 2 * YEAR };
    expect(night(model, 15 + YEAR)).toMatchObject(next);
  });

  it('is of sales in the currency of the shop, to whoever is known, of any night but one', () => {
    const model = spent(10);
    const foreign = { ...OF_NOW, provider: 'alpha', amount: 60_000, currency: 'EUR' } as const;
    model.sale('s2', foreign, settled());
    sell(model, 's3', 60_000, settled(0, null));
    settle(model);
    expect(night(model, 15)).toBeNull();
    model.suspendedShop(true);
    expect(() => model.decidedTiers(15, true)).toThrow(Contradiction);
    model.decidedTiers(15, false);
  });

  it('of a sale that is decided again is that of then, without campaigns', () => {
    const model = spent(60_000);
    model.campaign({ multiplier: 5, points: null, minSpend: 0, isFirst: false, budget: null });
    model.suspendedShop(true);
    sell(model, 's2', 100);
    settle(model);
    model.suspendedShop(false);
    model.suspendedShop(true);
    sell(model, 's3', 100);
    settle(model);
    model.suspendedShop(false);
    model.decidedTiers(15, true);
    const points = model.settledViews().map(({ sales }) => sales.s3?.points ?? 0);
    // The night may have come before the sale was decided again, or after it.
    expect(new Set(points)).toEqual(new Set([100, 125]));
  });

  it('gives the greatest multiplier, which a cap cuts before the rule’s points', () => {
    const gold = { key: 'gold', multiplier: 1.5 };
    const terms = { ...TERMS, rate: 0.1, maxPoints: 200 };
    const bonus = { nth: 1, multiplier: null, points: 50 };
    const double = { nth: 0, multiplier: 2, points: null };
    expect(earnedBy(1_255, terms, [double, bonus], gold)).toMatchObject({
      points: 200,
      awards: { 0: 75 },
      tier: null,
    });
    expect(earnedBy(1_255, terms, [bonus], gold)).toMatchObject({
      points: 200,
      awards: { 1: 12 },
      tier: { ...gold, points: 63 },
    });
    const same = { ...double, multiplier: 1.5 };
    expect(earnedBy(100, TERMS, [same], gold)).toMatchObject({ awards: {}, tier: { points: 50 } });
  });
});
