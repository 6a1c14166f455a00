import { possibleCampaigns } from './campaigns.ts';
import { earnedBy, takenBackBy } from './points.ts';
import {
  absorbableOf,
  balanceOf,
  ownerOf,
  type Payment,
  paid,
  pastTaken,
  ruleOf,
  type Sale,
  type State,
  UNKNOWN,
  type World,
  withPayment,
} from './state.ts';
import { tierOf } from './tiers.ts';

/** The service learns a version of a sale that is newer than what it knows: what may follow. */
export function learn(world: World, state: State, name: string, known: number): State[] {
  const sale = saleOf(world, name);
  const version = sale.versions[known];
  if (version === undefined) throw new Error(`Sale ${name} has no version ${known}.`);
  const payment = { ...(state.payments[name] ?? UNKNOWN), known };
  const isVoid = version.state === 'voided';
  const isReport = version.state === 'settled' || (isVoid && world.policies.refunds === 'reverse');
  if (!isReport) return [withPayment(state, name, payment)];

  const reported: Payment = {
    ...payment,
    refunded: isVoid ? sale.amount : version.refunded,
    contacts: version.buyer ?? payment.contacts,
    waits: payment.outcome === null ? world.windowDays > 0 : payment.waits,
  };
  if (reported.outcome === null || reported.outcome === 'stored_anonymous') {
    return decided(world, state, sale, reported).map((each) => given(state, name, each));
  }
  return [fitted(world, state, name, reported)];
}

/** An anonymous payment is given to the person who has signed up with its contacts. */
export function match(world: World, state: State, name: string): State[] {
  const payment = state.payments[name] ?? UNKNOWN;
  const ends = decided(world, state, saleOf(world, name), payment);
  return ends.map((each) => given(state, name, each));
}

/** A payment of the time when the shop was suspended is decided again: no campaign counts. */
export function decideAgain(world: World, state: State, name: string): State {
  const payment = state.payments[name] ?? UNKNOWN;
  return withPayment(state, name, decidedBy(world, state, saleOf(world, name), { payment }));
}

/** Whether `decideAgain` has to decide about the payment. */
export function isPutOff(world: World, { reason, person }: Payment): boolean {
  return reason === SUSPENDED && !world.isShopSuspended && !isErased(world, person);
}

const SUSPENDED = 'tenant_suspended';

function isErased({ erased }: World, person: string | null): boolean {
  return person !== null && erased.has(person);
}

/** Whether `match` would give the payment to somebody. */
export function isAwaited(world: World, payment: Payment): boolean {
  return payment.outcome === 'stored_anonymous' && ownerOf(world, payment.contacts) !== undefined;
}

/** The decision about a payment: anonymous, or what it is for its consumer. */
function decided(world: World, state: State, sale: Sale, payment: Payment): Payment[] {
  const person = ownerOf(world, payment.contacts);
  if (person === undefined) return [{ ...payment, outcome: 'stored_anonymous' }];
  return decidedFor(world, state, sale, { ...payment, person, contacts: null });
}

/** What may be decided about a payment of a person: of some campaigns it is not certain. */
export function decidedFor(world: World, state: State, sale: Sale, payment: Payment): Payment[] {
  return possibleCampaigns(world, state, sale, payment.person).map((campaigns) =>
    decidedBy(world, state, sale, { payment, campaigns }),
  );
}

/** The shop is suspended or has no rule, or the payment is credited, for what is left of it. */
function decidedBy(
  world: World,
  state: State,
  sale: Sale,
  { payment, campaigns = [] }: { payment: Payment; campaigns?: readonly number[] },
): Payment {
  const rule = ruleOf(world, state);
  const own = { ...payment, reason: null };
  if (world.isShopSuspended) return { ...own, outcome: 'no_rule_no_credit', reason: SUSPENDED };
  if (rule === undefined) return { ...own, outcome: 'no_rule_no_credit' };

  const credited: Payment = { ...own, outcome: 'credited', rule: rule.version };
  if (sale.isOld) return { ...credited, person: null, reason: 'before_connection' };
  if (sale.currency !== world.currency) return { ...credited, reason: 'currency_mismatch' };
  const offers = campaigns.flatMap((nth) => {
    const campaign = world.campaigns[nth];
    return campaign === undefined ? [] : { ...campaign, nth };
  });
  const tier = tierOf(world, state, payment.person);
  const { points: earned, ...by } = earnedBy(sale.amount, rule.terms, offers, tier);
  const isReversed = world.policies.refunds === 'reverse';
  const reversed = isReversed ? takenBackBy(earned, payment.refunded, sale.amount) : 0;
  const taken = reversed === 0 ? [] : [{ from: 'reversed' as const, points: reversed }];
  return { ...credited, ...by, earned, reversed, taken };
}

/** Fits the points of a credited payment to what is refunded of it. */
function fitted(world: World, state: State, name: string, payment: Payment): State {
  const { person, earned, refunded, reversed, owed, absorbed, writtenOff } = payment;
  if (person === null || world.policies.refunds === 'ignore') {
    return withPayment(state, name, payment);
  }
  const target = takenBackBy(earned, refunded, saleOf(world, name).amount);
  const due = target - reversed - owed - absorbed - writtenOff;
  if (isErased(world, person)) {
    // A closed wallet gives nothing and gets nothing: what is given up is all that changes.
    const left = Math.max(0, writtenOff + due);
    // Campaigns, too, get back only what is taken.
    const before = state.payments[name]?.refunded ?? 0;
    const partsOf = left === writtenOff + due ? null : (payment.partsOf ?? before);
    return withPayment(state, name, { ...payment, writtenOff: left, partsOf });
  }
  if (due >= 0) {
    // What has expired is not asked for again; what the balance does not hold is owed.
    const fromExpired = Math.min(due, absorbableOf(state, person));
    const fromBalance = Math.min(due - fromExpired, balanceOf(state, person));
    return withPayment(state, name, {
      ...payment,
      absorbed: absorbed + fromExpired,
      reversed: reversed + fromBalance,
      owed: owed + due - fromExpired - fromBalance,
      taken: [
        ...payment.taken,
        { from: 'absorbed', points: fromExpired },
        { from: 'reversed', points: fromBalance },
        { from: 'owed', points: due - fromExpired - fromBalance },
      ],
    });
  }
  // A refund failed after all: what was taken last comes back first.
  const back = given(state, name, released(payment, -due));
  const isCredited = (back.payments[name]?.reversed ?? 0) < reversed;
  return isCredited ? pastTaken(world, back, person) : back;
}

function released(payment: Payment, points: number): Payment {
  const left = { ...payment, taken: [...payment.taken] };
  for (let rest = points; rest > 0; ) {
    const last = left.taken.pop();
    if (last === undefined) throw new Error('More is released than was taken.');
    const some = Math.min(rest, last.points);
    left[last.from] -= some;
    rest -= some;
    if (some < last.points) left.taken.push({ ...last, points: last.points - some });
  }
  return left;
}

/** The state with a payment that has given its person points, which pay what they owe. */
export function given(state: State, name: string, payment: Payment): State {
  return paid(withPayment(state, name, payment), payment.person);
}

export function saleOf(world: World, name: string): Sale {
  const sale = world.sales.get(name);
  if (sale === undefined) throw new Error(`There is no sale ${name}.`);
  return sale;
}
