import type { TenantId, UserId } from '../../domain/ids.ts';
import { LATE_DAYS, type OpenCampaign, type OpenOffers } from '../../domain/offers.ts';
import type { Tx } from '../connection.ts';
import { keptStatement } from '../kept-statement.ts';
import { hasBought, SPENT } from '../tenants/campaigns.ts';
import { endOf } from '../tenants/published.ts';

/** Whose sales are decided at which tenant. */
export type Asked = { tenantId: TenantId; userIds: readonly UserId[] };

type StoredTimes = { startsAt: string; endsAt: string | null; endedAt: string | null };
/** One of the two. */
type Row =
  | {
      campaign: Omit<OpenCampaign, keyof StoredTimes> & StoredTimes & { tenantId: TenantId };
      timeZone: string | null;
      /** By the clock of the database, by which sales are stored. */
      now: Date;
      buyer: null;
      buyerAt: null;
    }
  | { campaign: null; timeZone: null; now: null; buyer: UserId; buyerAt: TenantId };

/**
 * Reads which campaigns sales may get that are decided now, in the order of their publication, and
 * who of the consumers has earned points there before, if a campaign asks. Tenants without a
 * campaign are left out. What is spent of a budget is read without a lock: of two decisions at the
 * same moment neither sees the other.
 */
export async function readOffers(
  tx: Tx,
  asked: readonly Asked[],
): Promise<Map<TenantId, OpenOffers>> {
  const rows = await read(tx, {
    tenants: [...new Set(asked.map(({ tenantId }) => tenantId))],
    ...ownersOf(asked),
  });
  const offers = new Map<TenantId, OpenOffers & { campaigns: OpenCampaign[] }>();
  for (const { campaign, timeZone, now } of rows) {
    if (campaign === null) continue;
    const { tenantId, ...terms } = campaign;
    const none = { campaigns: [], buyers: new Set<UserId>(), timeZone: timeZone ?? 'UTC', now };
    const its = offers.get(tenantId) ?? none;
    its.campaigns.push({ ...terms, ...timesOf(campaign) });
    offers.set(tenantId, its);
  }
  for (const { buyer, buyerAt } of rows) {
    if (buyer !== null) offers.get(buyerAt)?.buyers.add(buyer);
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
    select c.id, c.published_at, c.audience, t.time_zone, jsonb_build_object('id', c.id,
      'tenantId', c.tenant_id, 'multiplier', c.multiplier, 'points', c.points,
      'startsAt', c.starts_at, 'endsAt', c.ends_at, 'endedAt', c.ended_at, 'days', c.days,
      'hours', c.hours, 'minSpendMinorUnits', c.min_spend_minor_units, 'audience', c.audience,
      'isExhausted', case when c.budget_points is not null then (
        select given.spent_points >= budget_points from (select c.id, c.budget_points) c ${SPENT}
      ) else false end) as campaign
    from campaigns c join tenants t on t.id = c.tenant_id
    where c.tenant_id = any(:tenants::uuid[])
      and ${endOf('c')} > now() - make_interval(days => ${LATE_DAYS})
  )
  select campaign, time_zone as "timeZone", now(), null::uuid as buyer,
    null::uuid as "buyerAt" from (
    select * from open order by published_at, id
  ) ordered
  union all
  select null, null, null, u.id, u.tenant_id
  from unnest(:users::uuid[], :userTenants::uuid[]) as u(id, tenant_id)
  where exists (select from open where audience = 'first_purchase')
    and ${hasBought('(select id from wallets where user_id = u.id and tenant_id = u.tenant_id)')}`,
);
