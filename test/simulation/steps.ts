import { z } from 'zod';

const Name = z.string().regex(/^[a-z][a-z0-9]*$/);
/** A contact of a person, such as `ada.0`: people change theirs, and count them. */
const Contact = z.string().regex(/^[a-z]+\.\d+$/);
const Provider = z.enum(['alpha', 'beta']);
const minorUnits = z.int().min(0);

/** Whose contacts a provider's customer has; they may be those of two people. */
const Buyer = z.object({ email: Contact.nullable(), phone: Contact.nullable() });

const Terms = z.object({
  rate: z.number().positive(),
  minSpend: minorUnits,
  maxPoints: z.int().nullable(),
  minBalance: z.int(),
  percentage: z.number(),
  rounding: z.enum(['floor', 'ceil', 'round']),
});

/** One of `multiplier` and `points` is there. */
const Campaign = z.object({
  multiplier: z.number().nullable(),
  points: z.int().nullable(),
  minSpend: minorUnits,
  isFirst: z.boolean(),
  budget: z.int().nullable(),
});

/** Who spends as much within a year has points multiplied. */
const Tier = z.object({
  key: Name,
  threshold: z.int().positive(),
  multiplier: z.number().min(1),
});

const Reward = z.object({
  isItem: z.boolean(),
  price: z.int().positive(),
  stock: z.int().positive().nullable(),
});

export const FAULTS = [
  'kill-worker',
  'kill-api',
  'restart-temporal',
  'pause-temporal',
  'restart-postgres',
  'pause-postgres',
  'crash-postgres',
  'pause-worker',
  'pause-api',
  'chaos',
  'slow-providers',
  'api-clock',
  'worker-clock',
  'provider-clocks',
  'turn-keys',
] as const;

/** What may end a code: a till that uses it, its consumer who cancels it, or its time. */
const CLOSINGS = ['burn', 'cancel', 'expire'] as const;

/** The longest time by which a clock is off, or an answer late. */
const MOST_SECONDS = 300;

const step = <Do extends string, Shape extends z.ZodRawShape>(does: Do, shape: Shape) =>
  z.strictObject({ do: z.literal(does), ...shape });

/** What happens in a history. A step about something that does not exist changes nothing. */
export const Step = z.discriminatedUnion('do', [
  step('sale', {
    sale: Name,
    provider: Provider,
    buyer: Buyer.nullable(),
    amount: minorUnits,
    tip: minorUnits,
    currency: z.enum(['USD', 'EUR']),
    isPending: z.boolean(),
    /** Whether the provider never delivers its webhook; the poll has to find the sale. */
    isLost: z.boolean(),
    /** Whether it was made long before the shop was connected. */
    isOld: z.boolean().default(false),
  }),
  step('capture', { sale: Name }),
  step('cancel', { sale: Name }),
  step('attach', { sale: Name, buyer: Buyer }),
  step('refund', { sale: Name, share: z.number() }),
  step('fail-refund', { sale: Name }),
  step('void', { sale: Name }),

  step('sign-in', {
    person: Name,
    email: Contact.nullable(),
    phone: Contact.nullable(),
    isVerified: z.boolean(),
  }),
  step('preview', { person: Name, share: z.number() }),
  step('confirm', { person: Name, share: z.number(), code: Name }),
  step('burn', { code: Name, by: Name.nullable(), times: z.int().min(1).max(4) }),
  /** Somebody cancels a code: the person whose points it holds, unless it is said otherwise. */
  step('cancel-code', { code: Name, by: Name.nullable() }),
  /** All of these happen to a code at the same moment. */
  step('race', { code: Name, between: z.array(z.enum(CLOSINGS)).min(2).max(4) }),
  step('lookup', { code: Name }),
  step('expire', { code: Name }),
  step('freeze', { person: Name }),
  step('unfreeze', { person: Name }),
  step('adjust', { person: Name, points: z.int() }),

  step('rule', { terms: Terms, from: z.enum(['now', 'soon', 'later']) }),
  /** The shop promises for how long sales can be returned and points are valid, and tiers. */
  step('programme', {
    returnWindowDays: z.int().min(0).max(90),
    validityMonths: z.int().min(1).max(120).nullable().default(null),
    tiers: z.array(Tier).max(5).default([]),
  }),
  /**
   * The tiers of a night so many days ahead are decided, or of the last such night if that is
   * later, by several runs at once.
   */
  step('decide-tiers', { ahead: z.int().min(0).max(2_000), runs: z.int().min(1).max(3) }),
  /** The shop gives more points for some sales: a multiplier, or points on top. */
  step('campaign', { campaign: Campaign }),
  /** The oldest campaign that has not ended is ended. */
  step('end-campaign', {}),
  /** The shop offers something for points. */
  step('reward', { reward: Reward }),
  step('end-reward', { nth: z.int().min(0) }),
  /** People want one of a reward, all at the same moment, each for a code of that name. */
  step('get-reward', {
    nth: z.int().min(0),
    attempts: z
      .array(z.object({ person: Name, code: Name }))
      .min(1)
      .max(3),
  }),
  /**
   * So many months ahead are ended, by several runs at once: whatever is due by then expires, and
   * what is left is owed. If one is lost before, after so many wallets, these go on with it.
   */
  step('expire-month', {
    ahead: z.int().min(1).max(120),
    runs: z.int().min(1).max(3),
    lostAfter: z.int().min(1).max(4).nullable().default(null),
  }),
  /** A sale is attached to those who show their cards, all at the same moment. */
  step('give', { sale: Name, people: z.array(Name).min(1).max(3) }),
  step('invite', { person: Name }),
  step('accept', { person: Name }),
  step('decline', { person: Name }),
  step('withdraw', { person: Name }),
  /** The 30 days of an invite are over. */
  step('lapse', { person: Name }),
  step('leave', { person: Name }),
  step('remove', { person: Name }),
  /**
   * A person is erased at once, by several runs, which another was killed before; they ask for a
   * code at the same moment. Unless it is withdrawn.
   */
  step('erase', {
    person: Name,
    by: z.enum(['person', 'admin']),
    isWithdrawn: z.boolean(),
    runs: z.int().min(1).max(3),
    lostAfter: z.int().min(1).max(8).nullable(),
    code: Name,
  }),
  /** An administrator suspends a person, or the merchant of the shop. */
  step('suspend', { person: Name }),
  step('reinstate', { person: Name }),
  /** An administrator suspends the shop itself. */
  step('suspend-shop', {}),
  step('reinstate-shop', {}),

  step('disconnect', { provider: Provider }),
  step('reconnect', { provider: Provider }),
  /** The merchant revokes at the provider what it has allowed. */
  step('revoke', { provider: Provider }),
  /** Another tenant connects the shop's account of the provider. */
  step('rival', { provider: Provider }),
  /** The shop connects an account of another currency. */
  step('foreign-account', { provider: Provider }),

  step('wait', { ms: z.int().min(0).max(2_000) }),
  step('fault', {
    fault: z.enum(FAULTS),
    /** How far a clock is ahead from then on, or how late answers are at most. */
    seconds: z.int().min(-MOST_SECONDS).max(MOST_SECONDS).optional(),
  }),
  /** Everything comes to its end, and is compared with the model. */
  step('checkpoint', {}),
]);

export const Policies = z.strictObject({
  expiredCodes: z.enum(['refund', 'forfeit']),
  refunds: z.enum(['reverse', 'ignore']),
});

/** A history that can be played: its seed is where it came from. */
export const History = z.strictObject({
  seed: z.int(),
  policies: Policies,
  steps: z.array(Step),
});

export type Step = z.infer<typeof Step>;
export type StepOf<Do extends Step['do']> = Extract<Step, { do: Do }>;
export type Buyer = z.infer<typeof Buyer>;
export type Provider = z.infer<typeof Provider>;
export type Terms = z.infer<typeof Terms>;
export type Campaign = z.infer<typeof Campaign>;
export type Reward = z.infer<typeof Reward>;
export type Tier = z.infer<typeof Tier>;
export type Fault = (typeof FAULTS)[number];
export type FaultStep = StepOf<'fault'>;
export type Policies = z.infer<typeof Policies>;
export type History = z.infer<typeof History>;
