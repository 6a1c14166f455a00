import type { Chance } from './chance.ts';
import type { Buyer, Campaign, Reward, Step, StepOf, Terms, Tier } from './steps.ts';

export const PEOPLE = ['ada', 'bob', 'cy', 'dot'] as const;
export type PersonName = (typeof PEOPLE)[number];

/** What the generator remembers of the history so far. */
export type Draft = {
  chance: Chance;
  /** The person whom most of the history is about. */
  focus: PersonName;
  /** Whether webhooks of alpha are lost for good, so that it has to be polled. */
  losesWebhooks: boolean;
  /** What every version of its programme says. */
  validityMonths: number | null;
  /** Whether versions of its programme have tiers. */
  hasTiers: boolean;
  sales: number;
  codes: number;
  rewards: number;
  /** The generation of each person's contacts. */
  generations: Map<PersonName, number>;
};

/** A sale is redeemed into a code and then refunded, before the code is used or expires. */
export function parkedPoints(draft: Draft): Step[] {
  const { chance, focus: person } = draft;
  const [before, sale, code] = soldTo(draft);
  const wait = (): Step => ({ do: 'wait', ms: chance.oneOf([0, 20, 80]) });
  return [
    ...before,
    { do: 'confirm', person, share: chance.oneOf([0.5, 1]), code },
    { do: 'refund', sale, share: chance.oneOf([0.5, 1]) },
    wait(),
    chance.oneOf<Step>([
      { do: 'expire', code },
      { do: 'cancel-code', code, by: null },
      { do: 'freeze', person },
      { do: 'suspend', person },
      { do: 'burn', code, by: null, times: 1 },
      { do: 'race', code, between: ['cancel', 'expire', 'burn'] },
    ]),
  ];
}

/**
 * Seven are longer than a return window of 90 days needs. Of two nothing is due yet by the first
 * month in which wallets are read: what never expired gets three.
 */
export const VALIDITIES = [7, 2] as const;
const LONGEST_WINDOW = { long: 90, short: 28 } as const;

/** By how many months the first month is ahead by which the points of a history are due. */
function dueAhead({ validityMonths }: Draft): number {
  return Math.max(validityMonths ?? 0, 3) + 1;
}

/** Draws the end of a month, about that by which points are due. */
export function anEnd(draft: Draft, later: number): StepOf<'expire-month'> {
  const { chance } = draft;
  return {
    do: 'expire-month',
    ahead: dueAhead(draft) + later,
    runs: chance.oneOf([1, 2, 3]),
    lostAfter: chance.hits(0.4) ? chance.between(1, 4) : null,
  };
}

/** Draws a version of the programme. */
export function aProgramme(draft: Draft, wanted?: 0): StepOf<'programme'> {
  const { chance, validityMonths, hasTiers } = draft;
  const longest = validityMonths === 2 ? LONGEST_WINDOW.short : LONGEST_WINDOW.long;
  return {
    do: 'programme',
    returnWindowDays: wanted ?? chance.oneOf([0, 1, longest]),
    validityMonths,
    tiers: hasTiers ? someTiers(draft) : [],
  };
}

function someTiers({ chance }: Draft): Tier[] {
  const threshold = chance.oneOf([1, 300, 4_000]);
  const silver = { key: 'silver', threshold, multiplier: chance.oneOf([1, 1.001, 1.25, 1.25]) };
  const above = threshold + chance.oneOf([1, 8_000, 30_000]);
  const gold = { key: 'gold', threshold: above, multiplier: chance.oneOf([1.5, 2]) };
  const which = chance.weighted({ both: 7, gold: 2, none: 1 });
  return which === 'none' ? [] : which === 'gold' ? [gold] : [silver, gold];
}

/**
 * Nights in which sales of today do not count yet, just do, still do, or no longer do, by the
 * window of returns; never one that would be on the edge if midnight came meanwhile.
 */
const NIGHTS = [13, 15, 15, 89, 91, 378, 400, 470] as const;

/** Draws a night in which tiers are decided. */
export function aNight({ chance }: Draft): StepOf<'decide-tiers'> {
  return { do: 'decide-tiers', ahead: chance.oneOf(NIGHTS), runs: chance.oneOf([1, 1, 2, 3]) };
}

/** A sale reaches a tier, others are multiplied by it, and later it is lost or kept. */
export function risingTier(draft: Draft): Step[] {
  const { chance } = draft;
  const [before, sale] = soldTo(draft);
  const [next] = soldTo(draft);
  const [more] = soldTo(draft);
  const meanwhile = chance.oneOf<Step[]>([
    [{ do: 'refund', sale, share: chance.oneOf([0.5, 1]) }],
    [aProgramme(draft)],
    [{ do: 'void', sale }],
    // The sale arrives before the shop is reinstated, and is decided again after that.
    [{ do: 'suspend-shop' }, ...more.slice(0, -1), { do: 'wait', ms: 1_000 }],
  ]);
  const runs = chance.oneOf([1, 2]);
  return [
    aProgramme(draft, 0),
    ...before,
    { do: 'decide-tiers', ahead: 13, runs },
    { do: 'decide-tiers', ahead: 15, runs },
    ...next,
    ...meanwhile,
    { do: 'checkpoint' },
    { do: 'decide-tiers', ahead: chance.oneOf([15, 91, 400]), runs },
  ];
}

/** A sale expires, whole or but for a code, before it is refunded or the code is closed. */
export function expiringPoints(draft: Draft): Step[] {
  const { chance, focus: person } = draft;
  const [before, sale, code] = soldTo(draft);
  const reward = `${code}r`;
  const ends = [
    { do: 'refund', sale, share: chance.oneOf([0.33, 1]) },
    chance.oneOf<Step>([
      { do: 'cancel-code', code, by: null },
      { do: 'expire', code },
      { do: 'burn', code, by: null, times: 1 },
    ]),
  ] as const;
  return [
    aProgramme(draft, 0),
    ...before,
    { do: 'confirm', person, share: chance.oneOf([0.3, 0.5]), code },
    { do: 'get-reward', nth: 0, attempts: [{ person, code: reward }] },
    ...(chance.hits(0.5) ? [anEnd(draft, -1)] : []),
    anEnd(draft, 0),
    ...(chance.hits(0.5) ? ends : ends.toReversed()),
    { do: 'checkpoint' },
    { do: 'fail-refund', sale },
  ];
}

/** Draws the erasure of a person, who wants a code at the same moment. */
export function anErasure(draft: Draft, person: PersonName): StepOf<'erase'> {
  const { chance } = draft;
  draft.codes += 1;
  return {
    do: 'erase',
    person,
    by: chance.oneOf(['person', 'admin']),
    isWithdrawn: chance.hits(0.2),
    runs: chance.oneOf([1, 1, 2, 3]),
    lostAfter: chance.hits(0.3) ? chance.between(1, 30) : null,
    code: `c${draft.codes}`,
  };
}

/**
 * Somebody is erased while a sale of theirs is refunded and another is made, and then comes again
 * as somebody new, whose contacts sales of meanwhile name.
 */
export function erasedPerson(draft: Draft): Step[] {
  const { chance, focus: person } = draft;
  const [before, sale, code] = soldTo(draft);
  const [[signIn, more, end]] = soldTo(draft);
  const [[, another]] = soldTo(draft);
  const refund = (): Step => ({ do: 'refund', sale, share: chance.oneOf([0.33, 0.5]) });
  const wait = (): Step => ({ do: 'wait', ms: chance.oneOf([0, 20, 150]) });
  const meanwhile = chance.oneOf<Step[]>([
    [refund(), more],
    [more, wait(), refund()],
    [refund(), wait()],
    [{ do: 'adjust', person, points: -1_000 }, refund()],
    [refund(), { do: 'checkpoint' }, { do: 'fail-refund', sale }],
  ]);
  return [
    ...before,
    { do: 'confirm', person, share: chance.oneOf([0.3, 1]), code },
    ...meanwhile,
    { ...anErasure(draft, person), isWithdrawn: false },
    another,
    ...(chance.hits(0.5) ? [end] : []),
    chance.oneOf([refund(), { do: 'fail-refund', sale }]),
    ...(chance.hits(0.8) ? [signIn] : []),
  ];
}

/** A person signs in and a sale earns them points; also the name for a code to come. */
function soldTo(draft: Draft): [steps: [Step, Step, Step], sale: string, code: string] {
  const { focus: person } = draft;
  const { email, phone } = signIn(draft, person);
  const sale = {
    ...aSale(draft),
    buyer: { email, phone },
    currency: 'USD',
    isPending: false,
    isOld: false,
  } as const;
  draft.codes += 1;
  const signedIn = { do: 'sign-in', person, email, phone, isVerified: true } as const;
  return [[signedIn, sale, { do: 'checkpoint' }], sale.sale, `c${draft.codes}`];
}

/** The last digit of the amounts of sales that are old. */
const OLD_DIGIT = 7;

/** Draws a sale, at either provider and mostly with a customer. */
export function aSale(draft: Draft): StepOf<'sale'> {
  const { chance } = draft;
  draft.sales += 1;
  const provider = chance.oneOf(['alpha', 'beta']);
  const buyer = chance.hits(0.2) ? null : aBuyer(draft);
  const amount = amountOf(chance);
  return {
    do: 'sale',
    sale: `s${draft.sales}`,
    provider,
    buyer,
    amount,
    tip: chance.hits(0.3) ? chance.between(1, 300) : 0,
    currency: chance.hits(0.06) ? 'EUR' : 'USD',
    isPending: chance.hits(0.15),
    isLost:
      draft.losesWebhooks && (provider === 'alpha' ? chance.hits(0.3) : amount % 10 === LOST_DIGIT),
    // Only alpha's simulator dates sales back. No further chance is drawn, so that seeds stay.
    isOld: provider === 'alpha' && amount % 10 === OLD_DIGIT,
  };
}

function amountOf(chance: Chance): number {
  if (chance.hits(0.03)) return 0;
  if (chance.hits(0.03)) return chance.between(1_000_000_000, 9_000_000_000);
  return chance.hits(0.2) ? chance.between(1, 50) : chance.between(100, 9_999);
}

/** The last digit of the amounts of sales of beta that no webhook tells. */
const LOST_DIGIT = 3;

/** Somebody's contacts, or the e-mail of one and the phone of another. */
export function aBuyer(draft: Draft): Buyer {
  const { chance } = draft;
  const contact = contactOf(draft, somebody(draft));
  const kind = chance.weighted({ both: 4, email: 4, phone: 3, mixed: 1 });
  if (kind === 'email') return { email: contact, phone: null };
  if (kind === 'phone') return { email: null, phone: contact };
  const other = kind === 'mixed' ? contactOf(draft, chance.oneOf(PEOPLE)) : contact;
  return { email: contact, phone: other };
}

/** Draws a person, mostly the one whom the history is about. */
export function somebody({ chance, focus }: Draft): PersonName {
  return chance.hits(0.6) ? focus : chance.oneOf(PEOPLE);
}

function contactOf({ generations, chance }: Draft, person: PersonName): string {
  const newest = generations.get(person) ?? 0;
  return `${person}.${chance.hits(0.85) ? newest : chance.between(0, newest)}`;
}

/** Draws a sign-in, sometimes with contacts that are new. */
export function signIn(draft: Draft, person: PersonName): StepOf<'sign-in'> {
  const { chance, generations } = draft;
  const before = generations.get(person);
  const generation = before === undefined ? 0 : before + (chance.hits(0.3) ? 1 : 0);
  generations.set(person, generation);
  const contact = `${person}.${generation}`;
  const kind = chance.weighted({ both: 5, email: 3, phone: 2 });
  return {
    do: 'sign-in',
    person,
    email: kind === 'phone' ? null : contact,
    phone: kind === 'email' ? null : contact,
    isVerified: chance.hits(0.88),
  };
}

/** Draws the terms of a rule. */
export function aRule({ chance }: Draft, from: StepOf<'rule'>['from']): StepOf<'rule'> {
  const terms: Terms = {
    rate: chance.oneOf([1, 1, 1, 0.1, 0.333333, 1.5, 0.001, 3]),
    minSpend: chance.hits(0.3) ? chance.between(1, 500) : 0,
    maxPoints: chance.hits(0.2) ? chance.between(0, 3_000) : null,
    minBalance: chance.hits(0.2) ? chance.between(1, 500) : 0,
    percentage: chance.hits(0.25) ? chance.oneOf([50, 32.3, 99.5]) : 100,
    rounding: chance.oneOf(['floor', 'ceil', 'round']),
  };
  return { do: 'rule', terms, from };
}

/** Draws a campaign; its budget is soon used up. */
export function aCampaign({ chance }: Draft): Campaign {
  const points = chance.hits(0.5) ? chance.oneOf([5, 25, 300]) : null;
  const multiplier = points === null ? chance.oneOf([1.001, 1.5, 2, 3.333]) : null;
  return {
    multiplier,
    points,
    minSpend: Math.max(points ?? 0, chance.oneOf([0, 0, 400])),
    isFirst: chance.hits(0.3),
    budget: chance.hits(0.4) ? chance.oneOf([1, 30, 600, 5_000]) : null,
  };
}

/** Draws a reward, of which there are few. */
export function aReward({ chance }: Draft): Reward {
  return {
    isItem: chance.hits(0.5),
    price: chance.oneOf([1, 40, 300]),
    stock: chance.hits(0.7) ? chance.between(1, 2) : null,
  };
}
