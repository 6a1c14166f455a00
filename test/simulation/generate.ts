import { type Chance, chanceOf } from './chance.ts';
import {
  aBuyer,
  aCampaign,
  aNight,
  anEnd,
  anErasure,
  aProgramme,
  aReward,
  aRule,
  aSale,
  type Draft,
  erasedPerson,
  expiringPoints,
  PEOPLE,
  type PersonName,
  parkedPoints,
  risingTier,
  signIn,
  somebody,
  VALIDITIES,
} from './draw.ts';
import {
  FAULTS,
  type FaultStep,
  type History,
  type Policies,
  type Step,
  type StepOf,
} from './steps.ts';

/** How often each step is drawn. */
const WEIGHTS = {
  sale: 10,
  capture: 2,
  cancel: 0.7,
  attach: 2.5,
  refund: 5,
  'fail-refund': 1.5,
  void: 1.5,
  'sign-in': 3,
  preview: 1,
  confirm: 6,
  burn: 2.5,
  'cancel-code': 2,
  race: 1.5,
  lookup: 1,
  expire: 3,
  freeze: 0.6,
  unfreeze: 0.8,
  adjust: 1.5,
  rule: 1.2,
  programme: 0.6,
  reward: 0.5,
  'end-reward': 0.2,
  'get-reward': 2,
  campaign: 0.9,
  'end-campaign': 0.5,
  'decide-tiers': 1.2,
  'expire-month': 2,
  give: 2,
  invite: 0.9,
  accept: 0.9,
  decline: 0.3,
  withdraw: 0.3,
  lapse: 0.3,
  leave: 0.5,
  remove: 0.4,
  erase: 0.5,
  suspend: 0.4,
  reinstate: 0.5,
  'suspend-shop': 0.4,
  'reinstate-shop': 0.6,
  disconnect: 0.5,
  reconnect: 0.8,
  revoke: 0.5,
  rival: 0.5,
  'foreign-account': 0.2,
  wait: 4,
} as const;

/** How often it is the merchant who is suspended, and not one of the people. */
const MERCHANT_SHARE = 0.3;

/**
 * How often points are parked in a code before a refund, or expire before it, how often a sale
 * reaches a tier, and how often somebody is erased in between: seldom by chance.
 */
const PARKED_SHARE = 0.04;
const EXPIRING_SHARE = 0.04;
const RISING_SHARE = 0.05;
const ERASED_SHARE = 0.04;

/** Steps whose end is open for a while; more of them before a checkpoint have too many ends. */
const OPEN = new Set([
  'sale',
  'capture',
  'attach',
  'refund',
  'fail-refund',
  'void',
  'expire',
  'race',
]);
const MOST_OPEN = 6;

type Race = StepOf<'race'>['between'];
/** What may end a code at the same moment. */
const RACES: readonly [Race, ...Race[]] = [
  ['burn', 'cancel'],
  ['cancel', 'expire'],
  ['burn', 'expire', 'cancel'],
  ['cancel', 'burn', 'cancel', 'burn'],
];

const LONGEST_ROUND = 14;

/** The policies of a seed. Those of the default settings are drawn more often. */
export function policiesOf(seed: number): Policies {
  const chance = chanceOf(seed ^ 0x5bd1e995);
  return {
    expiredCodes: chance.hits(0.7) ? 'refund' : 'forfeit',
    refunds: chance.hits(0.8) ? 'reverse' : 'ignore',
  };
}

/** Draws a history of this many steps and faults, which the seed decides. */
export function generate(options: {
  seed: number;
  steps: number;
  faults: number;
  policies: Policies;
}): History {
  const { seed, policies } = options;
  const chance = chanceOf(seed);
  const generations = new Map<PersonName, number>();
  const losesWebhooks = chance.hits(0.3);
  const focus = chance.oneOf(PEOPLE);
  const validityMonths = chance.hits(0.7) ? chance.oneOf(VALIDITIES) : null;
  const hasTiers = chance.hits(0.6);
  const draft: Draft = {
    chance,
    focus,
    losesWebhooks,
    validityMonths,
    hasTiers,
    sales: 0,
    codes: 0,
    rewards: 0,
    generations,
  };
  const steps: Step[] = openingOf(draft);
  let open = 0;
  for (let inRound = 0; steps.length < options.steps; inRound++) {
    if (chance.hits(PARKED_SHARE)) {
      steps.push(...parkedPoints(draft));
      open = MOST_OPEN;
    }
    if (draft.validityMonths !== null && chance.hits(EXPIRING_SHARE)) {
      steps.push({ do: 'checkpoint' }, ...expiringPoints(draft));
      open = 2;
    }
    if (draft.hasTiers && chance.hits(RISING_SHARE)) {
      steps.push({ do: 'checkpoint' }, ...risingTier(draft));
      open = 0;
    }
    if (chance.hits(ERASED_SHARE)) {
      steps.push({ do: 'checkpoint' }, ...erasedPerson(draft));
      open = MOST_OPEN;
    }
    const step = draw(draft);
    // They read all wallets as they are at one moment, in which nothing else is to be open.
    if (step.do === 'expire-month' || step.do === 'decide-tiers') {
      steps.push({ do: 'checkpoint' });
      open = 0;
    }
    if (step.do === 'rule' && step.from === 'soon') open += 1;
    if (OPEN.has(step.do)) open += 1;
    steps.push(step);
    if (open < MOST_OPEN && inRound < LONGEST_ROUND && !chance.hits(0.08)) continue;
    steps.push({ do: 'checkpoint' });
    open = 0;
    inRound = 0;
  }
  for (let nth = 0; nth < options.faults; nth++) {
    steps.splice(chance.between(0, steps.length), 0, aFault(chance));
  }
  return { seed, policies, steps };
}

/**
 * How far clocks are off. Two minutes at most: a provider's clock that goes back by more than the
 * five minutes which polls overlap gives a sale a time at which nobody asks again.
 */
const CLOCKS_SECONDS = [-120, -45, -5, 5, 45, 120] as const;
/** The service waits ten seconds for most answers, and fifteen for an exchange. */
const LATEST_ANSWER_SECONDS = [3, 8, 14] as const;

function aFault(chance: Chance): FaultStep {
  const fault = chance.oneOf(FAULTS);
  const isClock = fault.endsWith('-clock') || fault.endsWith('-clocks');
  if (isClock) return { do: 'fault', fault, seconds: chance.oneOf(CLOCKS_SECONDS) };
  if (fault !== 'slow-providers') return { do: 'fault', fault };
  return { do: 'fault', fault, seconds: chance.oneOf(LATEST_ANSWER_SECONDS) };
}

/** Most histories begin with a rule and some people who are known. */
function openingOf(draft: Draft): Step[] {
  const { chance } = draft;
  const steps: Step[] = chance.hits(0.9) ? [aRule(draft, 'now')] : [];
  for (const person of PEOPLE.slice(0, 2)) if (chance.hits(0.8)) steps.push(signIn(draft, person));
  if (chance.hits(0.5)) steps.push(signIn(draft, draft.focus));
  if (chance.hits(0.5)) steps.push(aProgramme(draft, 0));
  if (chance.hits(0.4)) steps.push({ do: 'campaign', campaign: aCampaign(draft) });
  if (chance.hits(0.5)) {
    draft.rewards += 1;
    steps.push({ do: 'reward', reward: aReward(draft) });
  }
  return steps;
}

function draw(draft: Draft): Step {
  const { chance } = draft;
  const sale = `s${chance.between(Math.max(1, draft.sales - 3), Math.max(1, draft.sales))}`;
  const code = `c${chance.between(Math.max(1, draft.codes - 1), Math.max(1, draft.codes))}`;
  const person = somebody(draft);
  const kind = chance.weighted(WEIGHTS);
  switch (kind) {
    case 'sale':
      return aSale(draft);
    case 'capture':
    case 'cancel':
    case 'void':
    case 'fail-refund':
      return { do: kind, sale };
    case 'attach':
      return { do: kind, sale, buyer: aBuyer(draft) };
    case 'refund':
      return { do: kind, sale, share: chance.oneOf([0.1, 0.33, 0.5, 1, 1]) };
    case 'sign-in':
      return signIn(draft, person);
    case 'preview':
      return { do: kind, person, share: chance.oneOf([0.5, 1, 1.2]) };
    case 'confirm':
      draft.codes += 1;
      return {
        do: kind,
        person,
        share: chance.oneOf([0.3, 0.5, 1, 1, 1.2]),
        code: `c${draft.codes}`,
      };
    case 'burn': {
      const by = chance.hits(0.3) ? person : null;
      return { do: kind, code, by, times: chance.oneOf([1, 1, 2, 3]) };
    }
    case 'cancel-code':
      return { do: kind, code, by: chance.hits(0.1) ? person : null };
    case 'race':
      return { do: kind, code, between: chance.oneOf(RACES) };
    case 'lookup':
    case 'expire':
      return { do: kind, code };
    case 'adjust':
      return { do: kind, person, points: chance.oneOf([-1_000, -50, -7, 13, 100, 2_000]) };
    case 'rule':
      return aRule(draft, chance.oneOf(['now', 'now', 'soon', 'later']));
    case 'programme':
      return aProgramme(draft);
    case 'decide-tiers':
      return aNight(draft);
    case 'reward':
      draft.rewards += 1;
      return { do: kind, reward: aReward(draft) };
    case 'end-reward':
      return { do: kind, nth: chance.between(0, draft.rewards) };
    case 'get-reward': {
      const people = chance.hits(0.5) ? [person] : [person, somebody(draft), person];
      const attempts = people.map((each) => {
        draft.codes += 1;
        return { person: each, code: `c${draft.codes}` };
      });
      return { do: kind, nth: chance.between(0, Math.max(0, draft.rewards - 1)), attempts };
    }
    case 'campaign':
      return { do: kind, campaign: aCampaign(draft) };
    case 'end-campaign':
      return { do: kind };
    case 'expire-month':
      return anEnd(draft, chance.oneOf([-1, -1, 0, 0, 1]));
    case 'give': {
      const other = chance.hits(0.3) ? [somebody(draft)] : [];
      return { do: kind, sale, people: [person, ...(chance.hits(0.3) ? [person] : other)] };
    }
    case 'erase':
      return anErasure(draft, person);
    case 'suspend':
    case 'reinstate':
      return { do: kind, person: chance.hits(MERCHANT_SHARE) ? 'merchant' : person };
    case 'suspend-shop':
    case 'reinstate-shop':
      return { do: kind };
    case 'disconnect':
    case 'reconnect':
    case 'revoke':
    case 'rival':
    case 'foreign-account':
      return { do: kind, provider: chance.oneOf(['alpha', 'beta']) };
    case 'wait':
      return { do: kind, ms: chance.oneOf([5, 20, 60, 150]) };
    default:
      return { do: kind, person };
  }
}
