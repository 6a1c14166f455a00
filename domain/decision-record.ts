import { CALCULATION_VERSION, CALCULATION_WITH_AWARDS, earnByVersion } from './earning.ts';
import type { DecisionRecord } from './ingestion.ts';

/*
 * Of a decision only that is stored which cannot be told from the payment's other columns and from
 * the version of the rule, which never changes: the record is rebuilt from these when it is read.
 */

/** What is kept of a record as JSON, besides its facts. All are missing in most payments. */
export type KeptDecision = Partial<
  Pick<DecisionRecord, 'tenantCurrency' | 'wasSuspended' | 'awards' | 'reversals'>
>;

export type CompactDecision = {
  /** The contacts, the match, the tenure and the version of the calculation, in 15 bits. */
  facts: number;
  kept: KeptDecision;
};

// The bits of `facts`. Never change their meaning: stored payments depend on it. The version of
// the calculation is in the bits above them.
const HAS_EMAIL = 1;
const HAS_PHONE = 2;
const BY_EMAIL = 4;
const BY_PHONE = 8;
const IS_CONFLICT = 16;
const IS_LATE = 32;
/** The bit that says that the sale was made before the tenant had the account. */
export const IS_BEFORE_CONNECTION = 64;
const BY_MEMBER = 128;
const VERSION = 256;

/** Returns what has to be stored of a new decision. */
export function compactRecord(record: DecisionRecord): CompactDecision {
  const { contacts, match, isBeforeConnection, tenantCurrency, awards, reversals } = record;
  const version = awards === undefined ? CALCULATION_VERSION : CALCULATION_WITH_AWARDS;
  const bits = [
    contacts.email ? HAS_EMAIL : 0,
    contacts.phone ? HAS_PHONE : 0,
    match.by === 'email' ? BY_EMAIL : 0,
    match.by === 'phone' ? BY_PHONE : 0,
    match.by === 'member' ? BY_MEMBER : 0,
    match.conflict ? IS_CONFLICT : 0,
    match.late ? IS_LATE : 0,
    isBeforeConnection ? IS_BEFORE_CONNECTION : 0,
  ];
  return {
    facts: bits.reduce((sum, bit) => sum + bit, version * VERSION),
    kept: {
      ...(tenantCurrency === undefined ? {} : { tenantCurrency }),
      ...(record.wasSuspended === undefined ? {} : { wasSuspended: record.wasSuspended }),
      ...(awards === undefined ? {} : { awards }),
      ...(reversals.length === 0 ? {} : { reversals }),
    },
  };
}

/** A stored decision with the columns that its record is rebuilt from. */
export type StoredDecision = Pick<
  DecisionRecord,
  'amountMinorUnits' | 'tipMinorUnits' | 'currency' | 'rule'
> & {
  facts: number;
  kept: KeptDecision;
  /** The names of the campaigns that gave some of the points. */
  names?: Readonly<Record<string, string>> | null;
};

/**
 * Rebuilds the record of a stored decision, as it was when the decision was made. Throws when the
 * calculation is one of a later release.
 */
export function rebuildRecord({ facts, kept, names, ...sale }: StoredDecision): DecisionRecord {
  const { rule } = sale;
  const has = (bit: number) => (facts & bit) !== 0;
  const isBefore = has(IS_BEFORE_CONNECTION);
  const by = has(BY_EMAIL) ? 'email' : has(BY_PHONE) ? 'phone' : has(BY_MEMBER) ? 'member' : null;
  const isEarning = by !== null && rule !== null && !isBefore && kept.tenantCurrency === undefined;
  return {
    ...sale,
    contacts: { email: has(HAS_EMAIL), phone: has(HAS_PHONE) },
    match: { by, conflict: has(IS_CONFLICT), late: has(IS_LATE) },
    earning: isEarning
      ? earnByVersion(Math.floor(facts / VERSION), sale.amountMinorUnits, {
          terms: rule,
          awards: kept.awards,
        })
      : null,
    ...(isBefore && { isBeforeConnection: true }),
    ...(names && { names }),
    reversals: [],
    ...kept,
  };
}
