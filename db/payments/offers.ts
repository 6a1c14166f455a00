import type { Offers } from '../../domain/earning.ts';
import type { TenantId, UserId } from '../../domain/ids.ts';
import { LATE_DAYS, type OpenCampaign, type OpenOffers } from '../../domain/offers.ts';
import type { Tx } from '../connection.ts';
import { keptStatement } from '../kept-statement.ts';
import { hasBought, SPENT } from '../tenants/campaigns.ts';
import { endOf } from '../tenants/published.ts';

/** Whose sales are decided at which tenant. */
export type Asked = { tenantId: TenantId; userIds: readonly UserId[] };

type StoredTimes = { startsAt: string; endsAt: string | null; endedAt: string | null };
type StoredCampaign = Omit<OpenCampaign, keyof StoredTimes> & StoredTimes;
/** A campaign of a tenant, the tier of a consumer there, or a consumer who has bought there. */
type Row = {
  tenantId: TenantId;
  timeZone: string | null;
  /** By the clock of the database, by which sales are stored. */
  now: Date;
} & (
  | { campaign: StoredCampaign; userId: null; tier: null }
  | { campaign: null; userId: UserId; tier: NonNullable<Offers['tier']> | null }
);

type Gathered = OpenOffers & { campaigns: OpenCampaign[] };

/**
 * Reads which campaigns sales may get that are decided now, in the order of their publication, who
 * of the consumers has earned points there before, if a campaign asks, and which tiers they have.
 * Tenants without anything of it are left out. What is spent of a budget is read without a lock: of
 * two decisions at the same moment neither sees the other.
 */
export async function readOffers(
  tx: Tx,
  asked: readonly Asked[],
): Promise<Map<TenantId, OpenOffers>> {
  const rows = await read(tx, {
    tenants: [...new Set(asked.map(({ tenantId }) => tenantId))],
    ...ownersOf(asked),
  });
  const offers = new Map<TenantId, Gathered>();
  for (const { tenantId, timeZone, now, ...row } of rows) {
    const its: Gathered = offers.get(tenantId) ?? {
      campaigns: [],
      buyers: new Set(),
      tiers: new Map(),
      timeZone: timeZone ?? 'UTC',
      now,
    };
    if (row.campaign !== null) its.campaigns.push({ ...row.campaign, ...timesOf(row.campaign) });
    else if (row.tier !== null) its.tiers.set(row.userId, row.tier);
    else its.buyers.add(row.userId);
    offers.set(tenantId, its);
  }
  return offers;
}

/** Each consumer at each tenant, once. */
function ownersOf(asked: readonly Asked[]) {
  const owners = new Map(
    asked.flatMap(({ tenantId, userIds }) =>
      userIds.map((userId) => [`${tenantId} ${userId}`, { tenantId, userId }]),
    ),
  );
  const listed = [...owners.values()];
  return {
    users: listed.map(({ userId }) => userId),
    userTenants: listed.map(({ tenantId }) => tenantId),
  };
}

/** Times in JSON are texts. */
function timesOf({ startsAt, endsAt, endedAt }: StoredTimes) {
  return {
    startsAt: new Date(startsAt),
    endsAt: endsAt === null ? null : new Date(endsAt),
    endedAt: endedAt === null ? null : new Date(endedAt),
  };
}

const read = keptStatement<Row>(
  'ingestion-offers',
  `with open as materialized (
    select c.id, c.tenant_id, c.published_at, c.audience, jsonb_build_object('id', c.id,
      'multiplier', c.multiplier, 'points', c.points,
      'startsAt', c.starts_at, 'endsAt', c.ends_at, 'endedAt', c.ended_at, 'days', c.days,
      'hours', c.hours, 'minSpendMinorUnits', c.min_spend_minor_units, 'audience', c.audience,
      'isExhausted', case when c.budget_points is not null then (
        select given.spent_points >= budget_points from (select c.id, c.budget_points) c ${SPENT}
      ) else false end) as campaign
    from campaigns c
    where c.tenant_id = any(:tenants::uuid[])
      and ${endOf('c')} > now() - make_interval(days => ${LATE_DAYS})
  ),
  tiered as materialized (
    select t.id as tenant_id, v.tiers
    from unnest(:tenants::uuid[]) as t(id)
    cross join lateral (
      select tiers from programme_versions where tenant_id = t.id order by version desc limit 1
    ) v
    where v.tiers <> '[]'
  ),
  found as (
    select tenant_id, campaign, null::uuid as user_id, null::jsonb as tier from (
      select * from open order by published_at, id
    ) ordered
    union all
    select u.tenant_id, null, u.id, null
    from unnest(:users::uuid[], :userTenants::uuid[]) as u(id, tenant_id)
    where exists (select from open where audience = 'first_purchase')
      and ${hasBought('(select id from wallets where user_id = u.id and tenant_id = u.tenant_id)')}
    union all
    select u.tenant_id, null, u.id, jsonb_build_object('key', its.tier -> 'key',
      'multiplier', its.tier -> 'multiplier')
    from tiered t
    join unnest(:users::uuid[], :userTenants::uuid[]) as u(id, tenant_id) using (tenant_id)
    cross join lateral (
      select tier from jsonb_array_elements(t.tiers) tier
      where tier ->> 'key' = (
        select tier_key from wallet_standings where wallet_id = (
          select id from wallets where user_id = u.id and tenant_id = u.tenant_id
        )
      )
    ) its
  )
  select tenant_id as "tenantId", campaign, user_id as "userId", tier, now(),
    (select time_zone from tenants where id = tenant_id) as "timeZone"
  from found`,
);
