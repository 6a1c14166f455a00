import {
  type Campaign,
  type CampaignInput,
  type CampaignStatus,
  type CampaignTerms,
  MOST_CAMPAIGNS,
  needsClocks,
  type Spent,
  statusOf,
  termsOf,
} from '../../domain/campaigns.ts';
import { Refusal } from '../../domain/errors.ts';
import type { CampaignId, TenantId, WalletId } from '../../domain/ids.ts';
import { timeZoneOf } from '../../domain/time-zones.ts';
import type * as auditLog from '../audit-log.ts';
import type { Db, Tx } from '../connection.ts';
import { newId } from '../new-id.ts';
import { one } from '../one.ts';
import { audit, databaseTime, endOf, markEnded, requireFewer } from './published.ts';
import { settledMoment } from './statistics.ts';
import * as timeZones from './time-zone.ts';

/** A campaign with what it has given so far and how far it has come. */
export type PlacedCampaign = Campaign & Spent & { status: CampaignStatus };

/**
 * What campaigns `c` have given: what was added up before a moment and the rows since. The join
 * has `spent_points` and `awards` of each.
 */
export const SPENT = `
  left join campaign_sums s on s.campaign_id = c.id
  cross join lateral (
    select coalesce(s.points, 0) + coalesce(sum(a.points), 0)::bigint as spent_points,
      coalesce(s.awards, 0) + count(*) filter (where a.cause = 'award') as awards
    from campaign_awards a
    where a.campaign_id = c.id and a.created_at >= coalesce(s.settled_before, '-infinity')
  ) given`;

const COLUMNS = `c.id, c.tenant_id, c.name, c.multiplier::float8 as multiplier, c.points,
  c.starts_at, c.ends_at, c.days, c.hours, c.min_spend_minor_units, c.audience, c.budget_points,
  c.published_at, c.ended_at`;

/** SQL: true if a wallet has earned points by a sale, else null. */
export const hasBought = (wallet: string) => `(
    select true from ledger_entries where wallet_id = ${wallet} and reason = 'purchase'
    order by seq limit 1
  )`;

/** Lists the campaigns of a tenant before the campaign `before`, newest first. */
export async function list(
  db: Db,
  tenantId: TenantId,
  page: { limit: number; before: CampaignId | undefined },
): Promise<PlacedCampaign[]> {
  return read(
    db,
    `c.tenant_id = :tenantId and (:before::uuid is null or (c.published_at, c.id) < (
       select published_at, id from campaigns where tenant_id = :tenantId and id = :before
     ))
     order by c.published_at desc, c.id desc limit :limit`,
    { tenantId, limit: page.limit, before: page.before ?? null },
  );
}

/** Returns a campaign of a tenant. Throws NOT_FOUND. */
export async function get(db: Db, tenantId: TenantId, id: CampaignId): Promise<PlacedCampaign> {
  const [found] = await read(db, 'c.id = :id and c.tenant_id = :tenantId', { id, tenantId });
  if (found !== undefined) return found;
  throw new Refusal('NOT_FOUND', 'There is no such campaign. List them for their ids.');
}

/** Lists the running campaigns that the owner of a wallet can get, the earliest first. */
export async function listRunningFor(
  db: Db,
  tenantId: TenantId,
  walletId: WalletId,
): Promise<PlacedCampaign[]> {
  const open = await read(
    db,
    `c.tenant_id = :tenantId and ${endOf('c')} > now()
       and (c.audience = 'all' or ${hasBought(':walletId')} is null) order by c.published_at, c.id`,
    { tenantId, walletId },
  );
  return open.filter(({ status }) => status === 'running');
}

async function read(db: Db, chosen: string, values: object): Promise<PlacedCampaign[]> {
  const { rows } = await db.raw<{ rows: (Campaign & Spent & { readAt: Date })[] }>(
    `select ${COLUMNS}, given.spent_points, given.awards, clock_timestamp() as read_at
     from campaigns c ${SPENT} where ${chosen}`,
    { ...values },
  );
  return rows.map(({ readAt, ...campaign }) => {
    return { ...campaign, status: statusOf(campaign, campaign, readAt) };
  });
}

/** What is published, at which tenant, and by whom. */
export type NewCampaign = { tenantId: TenantId; body: CampaignInput; acting: auditLog.Acting };

/**
 * Publishes a campaign and records who did it. It counts for what is decided from then on. Throws
 * TENANT_NOT_FOUND, `too_many_campaigns`, and VALIDATION_ERROR where `termsOf` does, or where it
 * goes by clocks of a shop that are not known.
 */
export async function publish(
  tx: Tx,
  { tenantId, body, acting }: NewCampaign,
): Promise<PlacedCampaign> {
  // Locked, so that two at the same moment are counted.
  const shop = await timeZones.lock(tx, tenantId);
  if (shop === undefined) throw new Refusal('TENANT_NOT_FOUND', 'There is no such tenant.');
  const now = await databaseTime(tx);
  const terms = termsOf(body, now);
  const timeZone = needsClocks(terms) ? clocksOf(shop, now) : shop.timeZone;
  await requireFewer(tx, 'campaigns', { tenantId, most: MOST_CAMPAIGNS });
  const id = newId();
  await insert(tx, { id, tenantId, terms, createdBy: acting.actorUserId, publishedAt: now });
  await timeZones.notePromise(tx, tenantId, timeZone);
  const campaign = one(await read(tx, 'c.id = :id', { id }), 'campaign');
  const after = audited(campaign);
  await audit(tx, acting, { what: 'campaign', done: 'publish', of: campaign, before: {}, after });
  return campaign;
}

function clocksOf(shop: timeZones.Clocks, now: Date): string {
  const timeZone = timeZoneOf(shop, now);
  if (timeZone !== undefined) return timeZone;
  const message =
    'By whose clocks the shop goes is not known. Publish a programme with its `timeZone` first.';
  throw new Refusal('VALIDATION_ERROR', message, 'time_zone_required');
}

async function insert(
  tx: Tx,
  {
    terms: { hours, ...terms },
    ...campaign
  }: { terms: CampaignTerms } & Record<'id' | 'tenantId', string> & {
      createdBy: string | null;
      publishedAt: Date;
    },
): Promise<void> {
  await tx('campaigns').insert({
    ...campaign,
    ...terms,
    hours: hours === null ? null : JSON.stringify(hours),
  });
}

/**
 * Ends a campaign, once, and returns it. Sales of before still get it. A second call changes
 * nothing. Throws NOT_FOUND.
 */
export async function end(
  tx: Tx,
  { tenantId, id, acting }: { tenantId: TenantId; id: CampaignId; acting: auditLog.Acting },
): Promise<PlacedCampaign> {
  const hasEnded = await markEnded(tx, 'campaigns', { tenantId, id });
  const campaign = await get(tx, tenantId, id);
  if (hasEnded) {
    const after = audited(campaign);
    const before = { ...after, endedAt: null };
    await audit(tx, acting, { what: 'campaign', done: 'end', of: campaign, before, after });
  }
  return campaign;
}

/** What a campaign says, as the audit log keeps it. */
function audited({ name, multiplier, points, budgetPoints, ...rest }: Campaign) {
  const { startsAt, endsAt, endedAt, days, hours, minSpendMinorUnits, audience } = rest;
  return {
    name,
    multiplier,
    points,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt?.toISOString() ?? null,
    days: days?.join(' ') ?? null,
    hours: hours === null ? null : `${hours.from}–${hours.to}`,
    minSpendMinorUnits,
    audience,
    budgetPoints,
    endedAt: endedAt?.toISOString() ?? null,
  };
}

/** How many campaigns one statement settles. */
const SETTLED_AT_ONCE = 100;

/**
 * Adds up what campaigns have given up to a moment before which no row can appear any more, and
 * returns how many campaigns it did that for. Run twice, or twice at once, each award counts once.
 */
export async function settleSums(db: Db, behindMinutes?: number): Promise<number> {
  const before = await settledMoment(db, behindMinutes);
  let settled = 0;
  for (let after: string | null = null; ; ) {
    const page: SettledPage = await settlePage(db, { before, after });
    settled += page.changed;
    if (page.last === null) return settled;
    after = page.last;
  }
}

/** `last` is the last campaign of the page; null when there was none left. */
type SettledPage = { last: string | null; changed: number };

async function settlePage(
  db: Db,
  page: { before: string; after: string | null },
): Promise<SettledPage> {
  const { rows } = await db.raw<{ rows: SettledPage[] }>(
    `with page as materialized (
       select id from campaigns where id > coalesce(:after::uuid, :first::uuid)
       order by id limit :limit
     ),
     added as (
       select p.id, s.settled_before as since, sum(a.points)::bigint as points,
         count(*) filter (where a.cause = 'award') as awards
       from page p
       left join campaign_sums s on s.campaign_id = p.id
       join campaign_awards a on a.campaign_id = p.id
         and a.created_at >= coalesce(s.settled_before, '-infinity')
         and a.created_at < :before::timestamptz
       group by p.id, s.settled_before
     ),
     first as (
       insert into campaign_sums (campaign_id, points, awards, settled_before)
       select id, points, awards, :before::timestamptz from added where since is null
       on conflict (campaign_id) do nothing
       returning campaign_id
     ),
     next as (
       update campaign_sums s set points = s.points + a.points, awards = s.awards + a.awards,
         settled_before = :before::timestamptz
       from added a where s.campaign_id = a.id and s.settled_before = a.since
       returning s.campaign_id
     )
     select (select max(id::text) from page) as last,
       (select count(*) from first) + (select count(*) from next) as changed`,
    { ...page, first: '00000000-0000-0000-0000-000000000000', limit: SETTLED_AT_ONCE },
  );
  return one(rows, 'page');
}
