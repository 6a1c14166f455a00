import type { Version } from './model/state.ts';
import { Model } from './model.ts';
import type { Policies, Terms } from './steps.ts';

export const TERMS: Terms = {
  rate: 1,
  minSpend: 0,
  maxPoints: null,
  minBalance: 0,
  percentage: 100,
  rounding: 'floor',
};
export const ADA = { email: 'ada.0', phone: null };
const POLICIES: Policies = { expiredCodes: 'refund', refunds: 'reverse' };

/** A model of a shop with a rule, in which Ada has signed up unless it is said otherwise. */
export function aModel({ policies = POLICIES, isKnown = true } = {}): Model {
  const model = new Model(policies);
  model.published({ terms: TERMS, from: 'now' });
  if (isKnown) model.signedIn('ada', { ...ADA, isVerified: true });
  return model;
}

export const settled = (refunded = 0, buyer: Version['buyer'] = ADA): Version => ({
  state: 'settled',
  refunded,
  buyer,
});

/** When a sale was made, by a clock that is right. */
export const OF_NOW = { isOld: false, isDated: true, day: 0 };

export function sell(model: Model, name: string, amount: number, version = settled()): void {
  model.sale(name, { ...OF_NOW, provider: 'alpha', amount, currency: 'USD' }, version);
}

/** Ada's balances in all states in which the shop may end. */
export function ends(model: Model): (number | undefined)[] {
  const balances = model.settledViews().map(({ wallets }) => wallets.ada?.balance);
  // An undefined comes last, whatever it is compared with.
  return [...new Set(balances)].sort((one = 0, other = 0) => one - other);
}

/** Lets everything settle. */
export function settle(model: Model): void {
  const [view] = model.settledViews();
  if (view !== undefined) model.settledAs(view);
}

export function credited(model: Model, name: string, amount: number): void {
  sell(model, name, amount);
  settle(model);
}
