import { describe, expect, it } from 'vitest';
import { aModel, credited, OF_NOW, sell, settle, settled } from './a-model.ts';
import type { Model } from './model.ts';
import type { Campaign } from './steps.ts';

const aCampaign = (some: Partial<Campaign> = {}): Campaign => ({
  multiplier: null,
  points: 30,
  minSpend: 0,
  isFirst: false,
  budget: null,
  ...some,
});

/** What each campaign may have given, in all states in which the shop may end. */
const given = (model: Model) => [
  ...new Set(
    model.settledViews().map(({ campaigns }) => campaigns.map(({ spent }) => spent).join()),
  ),
];
const points = (model: Model, name: string) => model.settledViews()[0]?.sales[name]?.points;

describe('a campaign', () => {
  it('gives to sales between its beginning and its end', () => {
    const model = aModel();
    credited(model, 'before', 100);
    model.campaign(aCampaign());
    credited(model, 'during', 100);
    model.endedCampaign();
    credited(model, 'after', 100);
    const all = ['before', 'during', 'after'].map((name) => points(model, name));
    expect(all).toEqual([100, 130, 100]);
    expect(model.settledViews()[0]?.campaigns).toEqual([{ spent: 30, awards: 1 }]);
  });

  it('may or may not give to a sale whose clock was wrong', () => {
    const model = aModel();
    model.campaign(aCampaign());
    const sale = { ...OF_NOW, isDated: false, provider: 'alpha', amount: 100 } as const;
    model.sale('s1', { ...sale, currency: 'USD' }, settled());
    expect(given(model)).toEqual(['0', '30']);
  });

  it('gives nothing once its budget was seen spent, and again once a refund gave it back', () => {
    const model = aModel();
    model.campaign(aCampaign({ budget: 50 }));
    for (const name of ['s1', 's2', 's3']) credited(model, name, 100);
    expect(['s1', 's2', 's3'].map((name) => points(model, name))).toEqual([130, 130, 100]);
    model.version('s1', settled(100));
    settle(model);
    expect(given(model)).toEqual(['30']);
    credited(model, 's4', 100);
    expect(points(model, 's4')).toBe(130);
  });

  it('may exceed its budget by what is decided at the same moment', () => {
    const model = aModel();
    model.campaign(aCampaign({ budget: 30 }));
    for (const name of ['s1', 's2']) sell(model, name, 100);
    expect(given(model).sort()).toEqual(['30', '60']);
  });

  it('gives once for a first purchase', () => {
    const model = aModel();
    model.campaign(aCampaign({ isFirst: true }));
    for (const name of ['s1', 's2']) sell(model, name, 100);
    expect(given(model)).toEqual(['30']);
  });

  it('multiplies by the greatest, and is cut by the cap', () => {
    const model = aModel();
    model.campaign(aCampaign({ points: null, multiplier: 1.5 }));
    model.campaign(aCampaign({ points: null, multiplier: 2 }));
    model.campaign(aCampaign());
    credited(model, 's1', 125);
    expect(given(model)).toEqual(['0,125,30']);
  });
});
