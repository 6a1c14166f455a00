import { COMPUTED_ONCE, type Step } from './row-functions.ts';
import { ENTRIES_PER_WALLET, type Size, tenantOfSql } from './sizes.ts';

const BODY_DAYS = 90;
const FINGERPRINT_DAYS = 30;

/** Payments, and the deliveries that reported them. */
export function paymentSteps(size: Size): Step[] {
  const steps = Array.from({ length: ENTRIES_PER_WALLET }, (_, nth) => nth + 1);
  return [
    ...steps.map((step) => ({ name: `payments ${step}`, sql: paymentsOf(size, step) })),
    ...steps.map((step) => ({ name: `events ${step}`, sql: eventsOf(size, step) })),
  ];
}

const DECISION = `format('{"amountMinorUnits": %s, "tipMinorUnits": 0, "currency": "EUR",
  "contacts": {"email": true, "phone": false},
  "match": {"by": %s, "conflict": false, "late": false}, "rule": %s, "earning": %s,
  "reversals": []}', amount, case when is_known then '"email"' else 'null' end,
  case when is_known then '{"version": 1, "currency": "EUR", "conversionRate": "1.000000",
    "minSpendMinorUnits": 0, "maxPointsPerTransaction": null, "roundingPolicy": "floor"}'
    else 'null' end,
  case when is_known then format('{"points": %s, "exact": "%s",
    "rounded": %s, "zeroReason": null}', amount, amount, amount)
    else 'null' end)::jsonb`;

/** Sales of one pass: those of every wallet, and one in twenty more whose buyer nobody knows. */
const salesOf = ({ wallets }: Size, step: number) => `(
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
      decision, created_at, email_fingerprint)
    select id, pg_temp.tenant(${tenantOfSql('n', size)}), 'alpha',
      'built-' || case when is_known then '' else 's' end || n || '-${step}', 'LOCATION1', amount,
      0, refunded, 'EUR', at, at, case when is_known then 'credited' else 'stored_anonymous' end,
      case when is_known then null else 'no_match' end, case when is_known then amount else 0 end,
      refunded, case when is_known then pg_temp.person(n) end,
      case when is_known then pg_temp.wallet(n) end, case when is_known then 1 end, ${DECISION}, at,
      ${fingerprint}
    from ${salesOf(size, step)}`;
}

function eventsOf(size: Size, step: number): string {
  const body = `case when at < now() - interval '${BODY_DAYS} days' then ''
    else convert_to(format('{"merchant_id":"MERCHANT%s","type":"payment.updated",'
      '"event_id":"event-%s","created_at":"2026-01-15T10:00:02.308Z","data":{"type":"payment",'
      '"id":"built-%s-${step}","object":{"payment":{"id":"built-%s-${step}",'
      '"created_at":"2026-01-15T10:00:00.086Z","updated_at":"2026-01-15T10:00:02.100Z",'
      '"amount_money":{"amount":%s,"currency":"EUR"},"status":"COMPLETED","source_type":"CARD",'
      '"location_id":"LOCATION1","buyer_email_address":"person%s@example.com"}}}}',
      ${tenantOfSql('n', size)}, id, n, n, amount, n), 'utf8') end`;
  return `insert into webhook_events (id, provider, tenant_id, merchant_id, event_type, body,
      correlation_id, received_at, processed, processed_at, outcome, payment_id, next_attempt_at)
    select pg_temp.source(case when is_known then 'event' else 'stranger event' end, n, ${step}),
      'alpha', pg_temp.tenant(${tenantOfSql('n', size)}), 'MERCHANT' || ${tenantOfSql('n', size)},
      'payment.updated', ${body}, 'built', at, true, at,
      case when is_known then 'credited' else 'stored_anonymous' end, id, at
    from ${salesOf(size, step)}`;
}
