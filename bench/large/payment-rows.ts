import { compactRecord } from '../../domain/decision-record.ts';
import type { DecisionRecord } from '../../domain/ingestion.ts';
import { COMPUTED_ONCE, type Step } from './row-functions.ts';
import { ENTRIES_PER_WALLET, type Size, tenantOfSql } from './sizes.ts';

const FINGERPRINT_DAYS = 30;

/** Payments, a step for each entry of a wallet. */
export function paymentSteps(size: Size): Step[] {
  const steps = Array.from({ length: ENTRIES_PER_WALLET }, (_, nth) => nth + 1);
  return steps.map((step) => ({ name: `payments ${step}`, sql: paymentsOf(size, step) }));
}

/** What decisionColumns() returns for a payment with an address, matched by it or by nothing. */
const FACTS = {
  known: compactRecord(recordOf('email')).facts,
  unknown: compactRecord(recordOf(null)).facts,
};

function recordOf(by: 'email' | null): DecisionRecord {
  const sale = { amountMinorUnits: 1, tipMinorUnits: 0, currency: 'EUR', rule: null };
  const match = { by, conflict: false, late: false };
  return { ...sale, contacts: { email: true, phone: false }, match, earning: null, reversals: [] };
}

/** Sales of one pass: those of every wallet, and one in twenty more whose buyer nobody knows. */
export const salesOf = ({ wallets }: Size, step: number) => `(
  select n, true as is_known, pg_temp.source('payment', n, ${step}) as id,
    pg_temp.amount(n, ${step}) as amount, pg_temp.at(${step}, n) as at,
    case when ${step} = 7 and n % 4 = 0 then pg_temp.amount(n, ${step}) / 2 else 0 end as refunded
  from generate_series(0, ${wallets - 1}) n where pg_temp.reason(n, ${step}) = 'purchase'
  union all
  select n, false, pg_temp.source('stranger', n, ${step}), pg_temp.amount(n, ${step}),
    pg_temp.at(${step}, n), 0
  from generate_series(3, ${wallets - 1}, 20) n
  ${COMPUTED_ONCE}
) s`;

function paymentsOf(size: Size, step: number): string {
  const fingerprint = `case when not is_known
    and at > now() - interval '${FINGERPRINT_DAYS} days'
    then sha256(convert_to('stranger' || n, 'utf8')) end`;
  return `insert into payments (id, tenant_id, provider, provider_payment_id, location_id,
      amount_minor_units, tip_minor_units, refunded_minor_units, currency, occurred_at, changed_at,
      outcome, outcome_reason, points_awarded, points_reversed, user_id, wallet_id, rule_version,
      created_at, email_fingerprint, decision, decision_facts, rule_in_effect, refunded_as_of)
    select id, pg_temp.tenant(${tenantOfSql('n', size)}), 'alpha',
      'built-' || case when is_known then '' else 's' end || n || '-${step}', 'LOCATION1', amount,
      0, refunded, 'EUR', at, at, case when is_known then 'credited' else 'stored_anonymous' end,
      case when is_known then null else 'no_match' end, case when is_known then amount else 0 end,
      refunded, case when is_known then pg_temp.person(n) end,
      case when is_known then pg_temp.wallet(n) end, case when is_known then 1 end, at,
      ${fingerprint}, '{}', case when is_known then ${FACTS.known} else ${FACTS.unknown} end,
      case when not is_known then 1 end, at
    from ${salesOf(size, step)}`;
}
