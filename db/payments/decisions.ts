import { type CompactDecision, compactRecord } from '../../domain/decision-record.ts';
import type { DecisionRecord } from '../../domain/ingestion.ts';

/**
 * The columns that hold a decision. `rule_in_effect` is the version of the rule of a payment whose
 * `rule_version` is null although there was a rule: nobody earned anything by it.
 */
export type DecisionColumns = {
  decision: CompactDecision['kept'];
  decisionFacts: number;
  ruleInEffect: number | null;
};

/** Returns the columns for a decision that goes with the `rule_version` of its payment. */
export function decisionColumns(
  record: DecisionRecord,
  ruleVersion: number | null,
): DecisionColumns {
  const { facts, kept } = compactRecord(record);
  const inEffect = record.rule?.version ?? null;
  return {
    decision: kept,
    decisionFacts: facts,
    ruleInEffect: ruleVersion === null ? inEffect : null,
  };
}

/** A rule `r` as its decisions know it, named as there: names inside JSON are not converted. */
export const EARNING_TERMS = `jsonb_build_object('version', r.version,
      'conversionRate', r.conversion_rate::text, 'minSpendMinorUnits', r.min_spend_minor_units,
      'maxPointsPerTransaction', r.max_points_per_transaction,
      'roundingPolicy', r.rounding_policy)`;

/**
 * The column `stored_decision` of a payment `p`, from which `rebuildRecord` rebuilds the record.
 * Every statement that reads a decision reads this.
 */
export const STORED_DECISION = `jsonb_build_object(
    'kept', p.decision, 'facts', p.decision_facts, 'amountMinorUnits', p.amount_minor_units,
    'tipMinorUnits', p.tip_minor_units, 'currency', p.currency, 'rule', (
      select ${EARNING_TERMS} from reward_rules r
      where r.tenant_id = p.tenant_id and r.version = coalesce(p.rule_version, p.rule_in_effect)
      limit 1
    ), 'names', case when p.decision -> 'awards' is not null then (
      select jsonb_object_agg(named.key, named.name) from (
        select c.id::text as key, c.name from campaigns c
        where c.id in (
          select (given ->> 'id')::uuid
          from jsonb_array_elements(p.decision #> '{awards,campaigns}') given
        )
        union all
        (select tier ->> 'key', tier ->> 'name'
        from programme_versions v cross join lateral jsonb_array_elements(v.tiers) tier
        where v.tenant_id = p.tenant_id
          and tier ->> 'key' = p.decision #>> '{awards,tier,key}'
        order by v.version desc limit 1)
      ) named
    ) end) as stored_decision`;
