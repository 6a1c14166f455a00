import { keysOf } from './keys-of.ts';

type OutcomeTraits = {
  /** Of several payments of one event, the outcome that weighs most is the event's. */
  weight: number;
  /** Whether a payment is stored with it. Otherwise it was stored before, or there is none. */
  isStored: boolean;
  /** What a sale that a poll finds says of the webhooks, which had the time to bring it before. */
  sighting: 'missed' | 'known' | 'none';
  /** What follows their number in a text for operators. */
  inWords: string;
};

const OF_PAYMENTS = {
  credited: { weight: 6, isStored: true, sighting: 'missed', inWords: 'credited' },
  stored_anonymous: { weight: 3, isStored: true, sighting: 'missed', inWords: 'stored anonymous' },
  duplicate: { weight: 2, isStored: false, sighting: 'known', inWords: 'duplicate' },
  no_rule_no_credit: { weight: 4, isStored: true, sighting: 'missed', inWords: 'without a rule' },
} satisfies Record<string, OutcomeTraits>;

/**
 * The outcomes of a webhook event: those of its payment, a refund of an earlier one, or ignored.
 * What has to be known of each, wherever outcomes are stored, weighed, counted or listed, is here.
 */
export const OUTCOMES = {
  ...OF_PAYMENTS,
  refund_reversed: {
    weight: 5,
    isStored: false,
    sighting: 'missed',
    inWords: 'refunds reversed',
  },
  ignored: { weight: 1, isStored: false, sighting: 'none', inWords: 'ignored' },
} satisfies Record<string, OutcomeTraits>;

export type IngestionOutcome = keyof typeof OF_PAYMENTS;
export type EventOutcome = keyof typeof OUTCOMES;

export const INGESTION_OUTCOMES = keysOf(OF_PAYMENTS);
/** Those that a stored payment can have. */
export const STORED_OUTCOMES = INGESTION_OUTCOMES.filter((outcome) => OUTCOMES[outcome].isStored);
export const EVENT_OUTCOMES = keysOf(OUTCOMES);
