import { KEPT_DAYS } from '../../outgoing/events.ts';

// Compares what moved with what the tenant's own systems were told of it. Both are written in one
// transaction, so a statement sees both or neither, however many sales there are meanwhile.

/** A day less than events are kept, so that none is missed which has just been deleted. */
const COMPARED_DAYS = KEPT_DAYS - 1;

/**
 * A query for the time since which all that happens to a tenant is told and still there; without a
 * row for a tenant that has no endpoint. Whatever began after the endpoint was made has seen that
 * the tenant is told.
 */
const toldSince = (tenantId: string) => `
  select greatest(created_at, now() - interval '${COMPARED_DAYS} days') as since
  from webhook_endpoints where tenant_id = ${tenantId} and deleted_at is null
  order by created_at, id limit 1`;

/** The type that the reason and the direction of an entry `e` name. */
const TYPE_OF_ENTRY = `
  case e.reason when 'admin_adjustment' then 'points.adjusted'
    when 'points_expired' then 'points.expired'
    else case e.entry_type when 'credit' then 'points.credited' else 'points.reversed' end
  end`;

/**
 * Part of a statement that provides `untold`: the entries in `history` of wallets of an earlier
 * part `slice` that have not exactly the event that they should have, which has their id. A code
 * and its end are told as such, and not by their entries.
 */
export const UNTOLD = `
  untold as (
    select e.wallet_id, e.seq, format('entry %s %s', e.id, fault.words) as problem
    from (
      select s.id, s.tenant_id, known.since from slice s
      cross join lateral (${toldSince('s.tenant_id')}) known
    ) t
    join history e on e.wallet_id = t.id and e.created_at > t.since
    left join lateral (select * from tenant_events where id = e.id limit 1) v on true
    cross join lateral (
      select case
        when e.source_type = 'redemption' then
          case when v.id is not null then format('of a code is told as %s', v.type) end
        when v.id is null then 'is not told'
        when v.tenant_id <> t.tenant_id then 'is told to another shop'
        when v.type <> ${TYPE_OF_ENTRY} then format('is told as %s', v.type)
        when not v.data @> jsonb_build_object('walletId', e.wallet_id, 'points', e.points,
          'balance', e.balance_after) then 'is told with another wallet, balance or points'
      end as words
    ) fault
    where fault.words is not null
  )`;

/**
 * What is wrong with the events that tell of the redemption `r`, in words; null if nothing. It is
 * told once when it is issued and once when it ends, as what it then is. A condition on the tenant
 * would lead to all its events.
 */
export const REDEMPTION_TOLD = `(
    select format('is told %s times as %s', told.times, kind.status)
    from (${toldSince('r.tenant_id')}) known
    cross join (values ('issued', r.created_at), ('used', r.used_at), ('expired', r.expired_at))
      as kind(status, at)
    cross join lateral (
      select count(*) filter (where tenant_id = r.tenant_id) as times from tenant_events
      where data ->> 'redemptionId' = r.id::text and type = 'redemption.' || kind.status
    ) told
    where told.times <> (kind.at is not null)::integer
      and coalesce(kind.at > known.since, true)
    limit 1
  )`;
