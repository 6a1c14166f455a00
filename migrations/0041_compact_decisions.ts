import type { Knex } from 'knex';

/**
 * A payment's decision takes a few bytes: `decision_facts` says which contacts the payment had and
 * how it was matched, and names the version of the calculation (domain/decision-record.ts);
 * `rule_in_effect` is the version of the tenant's rule where `rule_version` is null, since nobody
 * earned by it. `decision` then keeps only what refunds did, and a foreign tenant's currency. Rows
 * without `decision_facts` are of earlier releases: their `decision` is the whole record.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table payments
      add column decision_facts smallint,
      add column rule_in_effect integer
  `);
}

/** Writes out the whole record of every payment, as the earlier release reads it. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update payments p
    set decision = jsonb_build_object(
        'amountMinorUnits', p.amount_minor_units, 'tipMinorUnits', p.tip_minor_units,
        'currency', p.currency,
        'contacts', jsonb_build_object('email', p.decision_facts & 1 > 0,
          'phone', p.decision_facts & 2 > 0),
        'match', jsonb_build_object(
          'by', case when p.decision_facts & 4 > 0 then 'email'
            when p.decision_facts & 8 > 0 then 'phone' end,
          'conflict', p.decision_facts & 16 > 0, 'late', p.decision_facts & 32 > 0),
        'rule', case when r.version is not null then jsonb_build_object('version', r.version,
          'conversionRate', r.conversion_rate::text,
          'minSpendMinorUnits', r.min_spend_minor_units,
          'maxPointsPerTransaction', r.max_points_per_transaction,
          'roundingPolicy', r.rounding_policy) end,
        'earning', case when p.outcome = 'credited' and not p.decision \\? 'tenantCurrency'
          then jsonb_build_object('exact', trim_scale(e.exact)::text,
            'rounded', case
              when p.outcome_reason in ('zero_amount', 'below_minimum', 'rounded_to_zero') then 0
              when r.rounding_policy = 'ceil' then ceil(e.exact)
              when r.rounding_policy = 'round' then round(e.exact)
              else floor(e.exact) end,
            'points', p.points_awarded,
            'zeroReason', nullif(p.outcome_reason, 'capped_to_limit')) end,
        'reversals', '[]'::jsonb) || p.decision
    from payments stored
    left join reward_rules r on r.tenant_id = stored.tenant_id
      and r.version = coalesce(stored.rule_version, stored.rule_in_effect)
    cross join lateral (select stored.amount_minor_units * r.conversion_rate as exact) e
    where p.id = stored.id and p.decision_facts is not null and not p.decision \\? 'match'
  `);
  await knex.raw('alter table payments drop column decision_facts, drop column rule_in_effect');
}
