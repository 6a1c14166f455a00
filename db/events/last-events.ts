/**
 * The part of a statement that notes when the newest event of each connection arrived. It reads an
 * earlier part named `delivery` (tenant_id, provider). It notes that at most once in ten seconds,
 * and waits for no other intake that is noting the same: both are of the same moment.
 */
export const NOTE_NEWEST = `
  newest as materialized (
    select d.tenant_id, d.provider, l.received_at
    from (select distinct tenant_id, provider from delivery where tenant_id is not null) d
    left join lateral (
      select received_at from last_events
      where tenant_id = d.tenant_id and provider = d.provider limit 1
    ) l on true
  ),
  noted as (
    update last_events l set received_at = now()
    from newest n cross join lateral (
      select tenant_id, provider from last_events
      where tenant_id = n.tenant_id and provider = n.provider limit 1
      for no key update skip locked
    ) free
    where n.received_at < now() - interval '10 seconds'
      and l.tenant_id = free.tenant_id and l.provider = free.provider
  ),
  first as (
    insert into last_events (tenant_id, provider)
    select tenant_id, provider from newest where received_at is null
    order by tenant_id, provider
    on conflict do nothing
  )`;

/**
 * An expression for when the newest event of a connection arrived, to within ten seconds; `of`
 * names a row of connections.
 */
export const lastEventAt = (of: string) => `
  (select received_at from last_events e
   where e.tenant_id = ${of}.tenant_id and e.provider = ${of}.provider)`;
