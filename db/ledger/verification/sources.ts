import type { Tx } from '../../connection.ts';
import { one } from '../../one.ts';
import { OWED_WRONGLY } from './owed.ts';
import { PAYMENT_REFERENCES, REDEMPTION_REFERENCES } from './references.ts';
import { type Composed, type Findings, MAX_VIOLATIONS, VIOLATION } from './statements.ts';
import { REDEMPTION_TOLD } from './told.ts';

// Compares entries with their sources. An entry's source is looked up by the source's key, and a
// source's entries by `ledger_entries_once_per_source`: neither direction reads a whole table.

/**
 * Parts of a statement that compare the entries in an earlier part `traced`, all those of a wallet
 * for each source, with their payments, redemptions, expiries and audit entries. They provide
 * `misplaced`: a source that does not exist or belongs to another wallet, one that was posted
 * twice, and points that are not those of the source.
 */
export const ORIGINS = `
  moved as (
    select e.wallet_id, e.source_type, e.source_id, min(e.seq) as seq,
      count(*) filter (where e.reason = 'purchase') as credits,
      coalesce(sum(signed.points) filter (where e.reason = 'purchase'), 0) as credited,
      coalesce(-sum(signed.points) filter (where e.reason = 'payment_refunded'), 0) as reversed,
      count(*) filter (where e.reason = 'redemption') as debits,
      coalesce(-sum(signed.points) filter (where e.reason = 'redemption'), 0) as debited,
      count(*) filter (where e.reason = 'redemption_expired') as returns,
      coalesce(sum(signed.points) filter (where e.reason = 'redemption_expired'), 0) as returned
    from traced e
    cross join lateral (
      select case e.entry_type when 'credit' then e.points else -e.points end as points
    ) signed
    where e.source_type in ('payment', 'redemption') and not e.is_stray
    group by e.wallet_id, e.source_type, e.source_id
  ),
  misplaced as (
    select m.wallet_id, m.seq, format('payment %s %s', m.source_id, fault.words) as problem
    from moved m
    left join lateral (select * from payments where id = m.source_id limit 1) p on true
    cross join lateral (
      select case
        when p.id is null then 'does not exist'
        when p.wallet_id is distinct from m.wallet_id then 'belongs to another wallet'
        when m.credits > 1 then format('is credited %s times', m.credits)
        when m.credited <> p.points_awarded then
          format('was awarded %s points and %s were credited', p.points_awarded, m.credited)
        when m.reversed <> p.points_reversed then
          format('has %s points reversed and %s debited', p.points_reversed, m.reversed)
        when p.points_reversed + p.points_owed + p.points_written_off + p.points_absorbed
          > ${refundedPart('p.points_awarded')}
          -- Nothing is given back to a wallet that is closed.
          and (select w.closed_at from wallets w where w.id = m.wallet_id) is null
          then 'has more points reversed than its refunds are worth'
      end as words
    ) fault
    where m.source_type = 'payment' and fault.words is not null
    union all
    select m.wallet_id, m.seq, format('redemption %s %s', m.source_id, fault.words)
    from moved m
    left join lateral (select * from redemptions where id = m.source_id limit 1) r on true
    cross join lateral (
      select case
        when r.id is null then 'does not exist'
        when r.wallet_id <> m.wallet_id then 'belongs to another wallet'
        when m.debits <> 1 then format('is debited %s times', m.debits)
        when m.debited <> r.points then
          format('is worth %s points and %s were debited', r.points, m.debited)
        when m.returns <> r.points_returned::integer then
          format('is %s and its points were returned %s times', r.status, m.returns)
        when m.returns = 1 and m.returned <> r.points then
          format('is worth %s points and %s were returned', r.points, m.returned)
      end as words
    ) fault
    where m.source_type = 'redemption' and fault.words is not null
    union all
    select e.wallet_id, e.seq, format('adjustment %s %s', e.source_id, fault.words)
    from traced e
    left join lateral (
      select target_id, after from audit_log
      where id = e.source_id and action = 'wallet.adjust' limit 1
    ) a on true
    cross join lateral (
      select case e.entry_type when 'credit' then e.points else -e.points end as points
    ) signed
    cross join lateral (
      select case
        when a.target_id is null then 'is not in the audit log'
        when a.target_id <> e.wallet_id then 'belongs to another wallet'
        when a.after ->> 'ledgerEntryId' is distinct from e.id::text
          then 'belongs to another entry'
        when a.after ->> 'points' is distinct from signed.points::text then
          format('is of %s points in the audit log and of %s here', a.after ->> 'points',
            signed.points)
      end as words
    ) fault
    where e.source_type = 'adjustment' and not e.is_stray and fault.words is not null
    union all
    select e.wallet_id, e.seq, format('expiry %s %s', e.source_id, fault.words)
    from traced e
    left join lateral (select * from point_expiries where id = e.source_id limit 1) x on true
    cross join lateral (
      select case
        when x.id is null then 'does not exist'
        when x.wallet_id <> e.wallet_id then 'belongs to another wallet'
        when x.points <> e.points then
          format('took %s points and %s were debited', x.points, e.points)
      end as words
    ) fault
    where e.source_type = 'expiry' and not e.is_stray and fault.words is not null
  )`;

/**
 * Part of a statement that provides `owing`: the wallets of an earlier part `slice` that owe other
 * points for refunds than their payments, or hold some while they owe.
 */
export const DEBTS = `
  owing as (
    select s.id as wallet_id, null::bigint as seq, fault.words as problem
    from slice s
    cross join lateral (
      select coalesce(sum(points_owed), 0) as owed from payments
      where wallet_id = s.id and points_owed > 0
    ) debt
    cross join lateral (values
      (case when s.owed <> debt.owed then
        format('owes %s points and its payments owe %s', s.owed, debt.owed) end),
      (case when s.owed > 0 and s.balance > 0 then
        format('owes %s points and holds %s', s.owed, s.balance) end)
    ) fault(words)
    where fault.words is not null
  )`;

/** Looks the entry up; `not exists` might be planned as a scan of all entries. */
const noEntry = (id: string, reason: string) =>
  `(
    select true from ledger_entries where source_id = ${id} and reason = '${reason}' limit 1
  ) is null`;

/**
 * What is wrong with the awards of a payment `p` whose decision has some: together they have to be
 * what the payment was awarded, those of campaigns their rows, and of each its refund rows the part
 * that refunds took. Where refunds are ignored they take nothing.
 */
const OTHER_AWARDS = `(
    select case
      when coalesce((p.decision #>> '{awards,base}')::bigint, 0)
        + coalesce((p.decision #>> '{awards,tier,points}')::bigint, 0)
        + coalesce(sum(d.points), 0) <> p.points_awarded
        then 'was awarded other points than its decision says'
      when count(*) <> count(d.points) or count(*) <> count(r.given)
        or bool_or(d.points <> r.given) then 'has other campaign awards than its decision says'
      when bool_or(r.taken <> case when p.points_reversed + p.points_owed + p.points_written_off
            + p.points_absorbed = ${refundedPart('p.points_awarded')}
          then ${refundedPart('r.given')} else r.taken end)
        then 'has other campaign points taken back than its refunds took'
    end
    from (
      select (given ->> 'id')::uuid as id, (given ->> 'points')::bigint as points
      from jsonb_array_elements(p.decision #> '{awards,campaigns}') given
    ) d
    full join (
      select campaign_id as id, sum(points) filter (where cause = 'award') as given,
        coalesce(-sum(points) filter (where cause = 'refund'), 0) as taken
      from campaign_awards where payment_id = p.id group by campaign_id
    ) r on r.id = d.id
  )`;

/** The part of points that refunds of a payment `p` are worth. */
function refundedPart(points: string): string {
  return `div(
    ${points}::numeric * least(p.refunded_minor_units, p.amount_minor_units),
    nullif(p.amount_minor_units, 0)
  )`;
}

/** Where sources are, the columns that are compared, and what is wrong with them, in words. */
const SOURCES = {
  payments: {
    table: 'payments',
    columns: `id, tenant_id, user_id, wallet_id, amount_minor_units, refunded_minor_units,
      points_awarded, points_reversed, points_owed, points_written_off, points_absorbed, decision`,
    problems: `
      select p.id, p.wallet_id, p.tenant_id,
        format('payment %s %s', p.id, fault.words) as problem
      from slice p
      cross join lateral (values
        (case when p.points_awarded > 0 and ${noEntry('p.id', 'purchase')}
          then format('was awarded %s points and has no entry', p.points_awarded)
        end),
        (${PAYMENT_REFERENCES}),
        (case when p.decision -> 'awards' is not null then ${OTHER_AWARDS} end)
      ) fault(words)
      where fault.words is not null`,
  },
  redemptions: {
    table: 'redemptions',
    columns: `id, tenant_id, user_id, wallet_id, used_by, code_hmac, created_at, used_at,
      expired_at`,
    problems: `
      select r.id, r.wallet_id, r.tenant_id,
        format('redemption %s %s', r.id, fault.words) as problem
      from slice r
      cross join lateral (values
        (case
          when ${noEntry('r.id', 'redemption')} then 'has no entry'
          when (
            select true from redemptions where code_hmac = r.code_hmac and id <> r.id limit 1
          ) then 'has the same code as another'
        end),
        (${REDEMPTION_REFERENCES}),
        (${REDEMPTION_TOLD})
      ) fault(words)
      where fault.words is not null`,
  },
  adjustments: {
    table: 'audit_log',
    columns: 'id, action, target_id, tenant_id',
    problems: `
      select a.id, a.target_id as wallet_id, a.tenant_id,
        format('adjustment %s is in the audit log and has no entry', a.id) as problem
      from slice a
      where a.action = 'wallet.adjust' and ${noEntry('a.id', 'admin_adjustment')}`,
  },
  expiries: {
    table: 'point_expiries',
    columns: 'id, wallet_id, tenant_id',
    problems: `
      select x.id, x.wallet_id, x.tenant_id, format('expiry %s has no entry', x.id) as problem
      from slice x
      where ${noEntry('x.id', 'points_expired')}`,
  },
  campaigns: {
    table: 'campaigns',
    columns: 'id, tenant_id',
    problems: `
      select c.id, null::uuid as wallet_id, c.tenant_id,
        format('campaign %s gave %s points by %s awards before %s, and %s by %s are added up',
          c.id, given.points, given.awards, s.settled_before, s.points, s.awards) as problem
      from slice c
      join campaign_sums s on s.campaign_id = c.id
      cross join lateral (
        select coalesce(sum(a.points), 0) as points,
          count(*) filter (where a.cause = 'award') as awards
        from campaign_awards a
        where a.campaign_id = c.id and a.created_at < s.settled_before
      ) given
      where (given.points, given.awards) <> (s.points, s.awards)`,
  },
  rewards: {
    table: 'rewards',
    columns: 'id, tenant_id, taken',
    problems: `
      select w.id, null::uuid as wallet_id, w.tenant_id,
        format('reward %s counts %s as taken, and %s codes for it are open or used',
          w.id, w.taken, codes.number) as problem
      from slice w
      cross join lateral (
        select count(*) as number from redemptions
        where reward_id = w.id and status in ('issued', 'used')
      ) codes
      where w.taken <> codes.number`,
  },
  erasures: {
    table: 'erasures',
    columns: 'id, user_id, done_at',
    problems: `
      select e.id, fault.wallet_id, fault.tenant_id,
        format('erasure %s left %s', e.id, fault.words) as problem
      from slice e
      cross join lateral (
        select null::uuid as wallet_id, null::uuid as tenant_id, 'what says who it was' as words
        from users u
        where u.id = e.user_id and (u.erased_at is null or u.status <> 'suspended' or num_nonnulls(
          u.name, u.email, u.ascii_email, u.email_proof, u.phone, u.phone_proof, u.member_number,
          substring(u.bootstrapped_as from '.*@.*')) > 0)
        union all
        select w.id, w.tenant_id, 'a wallet that is not closed' from wallets w
        where w.user_id = e.user_id and w.closed_at is null
        union all
        select w.id, w.tenant_id, 'a code that is not closed' from wallets w
        where w.user_id = e.user_id and (
          select true from redemptions r where r.wallet_id = w.id and r.status = 'issued' limit 1)
      ) fault
      where e.done_at is not null`,
  },
  liability: {
    table: 'tenants',
    columns: 'id, time_zone',
    problems: OWED_WRONGLY,
  },
  imports: {
    table: 'import_rows',
    columns: 'id, tenant_id, wallet_id, points, state',
    problems: `
      select r.id, r.wallet_id, r.tenant_id,
        format('row %s of an import %s', r.id, fault.words) as problem
      from slice r
      cross join lateral (values
        (case
          when r.state in ('credited', 'reverted') and (
            select (wallet_id, entry_type, points) = (r.wallet_id, 'credit', r.points)
            from ledger_entries
            where source_id = r.id and reason = 'admin_adjustment' limit 1
          ) is not true then 'is credited, and its wallet has no adjustment of its points'
          when r.state not in ('credited', 'reverted')
            and not ${noEntry('r.id', 'admin_adjustment')} then 'has an adjustment, and no wallet'
        end),
        (case when r.state = 'credited' and (
          select true from import_rows
          where tenant_id = r.tenant_id and wallet_id = r.wallet_id and state = 'credited'
            and id <> r.id limit 1
        ) then 'brings over a wallet that another row has brought over' end),
        (case when r.wallet_id is not null and (
          select tenant_id from wallets where id = r.wallet_id limit 1
        ) is distinct from r.tenant_id then 'has a wallet of another shop' end)
      ) fault(words)
      where fault.words is not null`,
  },
} as const;

export type SourceWalk = keyof typeof SOURCES;

/** Sources in the order of their ids, of a range or of these ids. */
export type SourceSelection =
  | { after: string; until: string; limit: number }
  | { ids: readonly string[] };

/**
 * Finds sources without an entry, and sources with wrong references, in one state of the database.
 * `last` is the last source that was compared, null when there is none.
 */
export async function verifySources(
  tx: Tx,
  walk: SourceWalk,
  selection: SourceSelection,
): Promise<Findings & { sources: number; last: string | null }> {
  const { sql, values } = sourcesStatement(walk, selection);
  const { rows } = await tx.raw<{
    rows: (Findings & { sources: number; last: string | null })[];
  }>(sql, values);
  return one(rows, 'result of a verification');
}

/** Puts together the statement that verifies sources. */
export function sourcesStatement(walk: SourceWalk, selection: SourceSelection): Composed {
  const { table, columns, problems } = SOURCES[walk];
  const chosen =
    'after' in selection
      ? 'id > :after and id <= :until order by id limit :limit'
      : 'id = any(:ids::uuid[])';
  return {
    sql: `with slice as materialized (select ${columns} from ${table} where ${chosen}),
     violations as (
       select *, null::bigint as seq from (${problems}) each order by id limit :violations
     )
     select (select count(*) from slice) as sources,
       (select id from slice order by id desc limit 1) as last,
       coalesce((select jsonb_agg(${VIOLATION} order by v.id) from violations v), '[]')
         as violations,
       array(select distinct id from violations)::text[] as row_ids`,
    values: { ...selection, violations: MAX_VIOLATIONS },
  };
}
