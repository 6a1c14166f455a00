import { salesOf } from './payment-rows.ts';
import type { Step } from './row-functions.ts';
import { ENTRIES_PER_WALLET, type Size, tenantOfSql } from './sizes.ts';

// The deliveries that reported the payments, by month.

const BODY_DAYS = 90;
/** Months of outcomes that are kept. */
const MONTHS = 24;

/** Events, a step for each entry of a wallet; older ones than are kept are left out. */
export function eventSteps(size: Size): Step[] {
  const steps = Array.from({ length: ENTRIES_PER_WALLET }, (_, nth) => nth + 1);
  return [
    { name: 'months', sql: EARLIER_MONTHS },
    ...steps.map((step) => ({ name: `outcomes ${step}`, sql: outcomesOf(size, step) })),
    ...steps.map((step) => ({ name: `bodies ${step}`, sql: bodiesOf(size, step) })),
  ];
}

// Nothing else makes partitions of the past. Those that a migration has made are there already.
const EARLIER_MONTHS = `
  do $$
  declare
    parent text;
    kept interval;
    month timestamp;
    partition text;
  begin
    for parent, kept in values ('webhook_bodies', interval '${BODY_DAYS} days'),
        ('event_outcomes', interval '${MONTHS} months') loop
      for month in select generate_series(date_trunc('month', (now() at time zone 'UTC') - kept),
          now() at time zone 'UTC', interval '1 month') loop
        partition := parent || to_char(month, '_YYYY_MM');
        continue when to_regclass('public.' || partition) is not null;
        execute format('create table public.%I partition of public.%I
          for values from (%L) to (%L)', partition, parent,
          first_event_id(month at time zone 'UTC'),
          first_event_id((month + interval '1 month') at time zone 'UTC'));
      end loop;
    end loop;
  end
  $$`;

const MERCHANT = (size: Size) => `'MERCHANT' || ${tenantOfSql('n', size)}`;
const EVENT_ID = (step: number) =>
  `pg_temp.source(case when is_known then 'event' else 'stranger event' end, n, ${step})`;
const OUTCOME = `case when is_known then 'credited' else 'stored_anonymous' end`;

const bodyOf = (size: Size, step: number) => `
  convert_to(format('{"merchant_id":"MERCHANT%s","type":"payment.updated",'
    '"event_id":"event-%s","created_at":"2026-01-15T10:00:02.308Z","data":{"type":"payment",'
    '"id":"built-%s-${step}","object":{"payment":{"id":"built-%s-${step}",'
    '"created_at":"2026-01-15T10:00:00.086Z","updated_at":"2026-01-15T10:00:02.100Z",'
    '"amount_money":{"amount":%s,"currency":"EUR"},"status":"COMPLETED","source_type":"CARD",'
    '"location_id":"LOCATION1","buyer_email_address":"person%s@example.com"}}}}',
    ${tenantOfSql('n', size)}, id, n, n, amount, n), 'utf8')`;

function outcomesOf(size: Size, step: number): string {
  return `insert into event_outcomes (id, tenant_id, payment_id, received_at, processed_at,
      attempts, provider, outcome, merchant_id, event_type, correlation_id)
    select ${EVENT_ID(step)}, pg_temp.tenant(${tenantOfSql('n', size)}), id, at, at, 0, 'alpha',
      ${OUTCOME}, ${MERCHANT(size)}, 'payment.updated', 'built'
    from ${salesOf(size, step)}
    where at >= date_trunc('month', now() - interval '${MONTHS} months')`;
}

function bodiesOf(size: Size, step: number): string {
  return `insert into webhook_bodies (id, received_at, body)
    select ${EVENT_ID(step)}, at, ${bodyOf(size, step)}
    from ${salesOf(size, step)}
    where at >= now() - interval '${BODY_DAYS} days'`;
}
