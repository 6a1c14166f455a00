import { Refusal } from '../../domain/errors.ts';
import type { RewardId, TenantId, UserId } from '../../domain/ids.ts';
import {
  MOST_REWARDS,
  type Reward,
  type RewardInput,
  type RewardTerms,
  requireReward,
  rewardTermsOf,
} from '../../domain/rewards.ts';
import type * as auditLog from '../audit-log.ts';
import { appliesProgrammes, type Db, type Tx } from '../connection.ts';
import { newId } from '../new-id.ts';
import { one } from '../one.ts';
import { audit, databaseTime, endOf, markEnded, requireFewer } from './published.ts';

/** A reward with the time at which it was read, by the clock of the database. */
export type ReadReward = Reward & { readAt: Date };

const COLUMNS = `w.id, w.tenant_id, w.name, w.kind, w.price_points, w.value_minor_units, w.stock,
  w.taken, w.ends_at, w.created_at, w.ended_at, clock_timestamp() as read_at`;

/** SQL: the reward of a redemption `r`, as it is named; null where programmes are not applied. */
export function rewardOf(db: Db): string {
  if (!appliesProgrammes(db)) return 'null::jsonb as reward';
  return `(select jsonb_build_object('id', w.id, 'name', w.name, 'kind', w.kind)
    from rewards w where w.id = r.reward_id) as reward`;
}

/** Lists the rewards of a tenant before the reward `before`, newest first. */
export async function list(
  db: Db,
  tenantId: TenantId,
  page: { limit: number; before: RewardId | undefined },
): Promise<ReadReward[]> {
  return read(
    db,
    `w.tenant_id = :tenantId and (:before::uuid is null or (w.created_at, w.id) < (
       select created_at, id from rewards where tenant_id = :tenantId and id = :before
     ))
     order by w.created_at desc, w.id desc limit :limit`,
    { tenantId, limit: page.limit, before: page.before ?? null },
  );
}

/** Lists what customers of a tenant can have, or could, if it were not sold out, by price. */
export async function listOffered(db: Db, tenantId: TenantId): Promise<ReadReward[]> {
  return read(
    db,
    `w.tenant_id = :tenantId and ${endOf('w')} > now() order by w.price_points, w.created_at, w.id`,
    {
      tenantId,
    },
  );
}

/** Says of which rewards a consumer has an open code. */
export async function listOpenCodes(
  db: Db,
  userId: UserId,
  ids: readonly RewardId[],
): Promise<Set<RewardId>> {
  const { rows } = await db.raw<{ rows: { rewardId: RewardId }[] }>(
    `select r.reward_id from unnest(:ids::uuid[]) as w(id)
     cross join lateral (
       select reward_id from redemptions
       where reward_id = w.id and user_id = :userId and status = 'issued'
         and expires_at > statement_timestamp()
       limit 1
     ) r`,
    { userId, ids: [...ids] },
  );
  return new Set(rows.map(({ rewardId }) => rewardId));
}

/** Returns a reward of a tenant. Throws NOT_FOUND. */
export async function get(db: Db, tenantId: TenantId, id: RewardId): Promise<ReadReward> {
  return getOne(db, tenantId, { id, lock: '' });
}

/** Returns the same, locked until the transaction ends. Lock the wallet of the consumer first. */
export async function lock(tx: Tx, tenantId: TenantId, id: RewardId): Promise<ReadReward> {
  return getOne(tx, tenantId, { id, lock: 'for no key update of w' });
}

async function getOne(
  db: Db,
  tenantId: TenantId,
  { id, lock: locking }: { id: RewardId; lock: string },
): Promise<ReadReward> {
  const [found] = await read(db, `w.id = :id and w.tenant_id = :tenantId ${locking}`, {
    id,
    tenantId,
  });
  if (found !== undefined) return found;
  throw new Refusal('NOT_FOUND', 'There is no such reward. List them for their ids.');
}

/**
 * Takes one of a locked reward for a consumer: of any number of concurrent calls as many succeed as
 * there are. Throws what `requireReward` refuses.
 */
export async function take(tx: Tx, reward: ReadReward, userId: UserId): Promise<void> {
  const { id, readAt } = reward;
  const hasOpen = (await listOpenCodes(tx, userId, [id])).has(id);
  requireReward(reward, { now: readAt, hasOpen });
  await tx('rewards').where({ id }).increment('taken', 1);
}

/** Puts back one of each of these rewards, which may repeat. */
export async function putBack(tx: Tx, ids: readonly RewardId[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.raw(
    `with unused as (
       select id, count(*) as number from unnest(:ids::uuid[]) as u(id) group by id
     ),
     locked as (
       select id from rewards where id = any(:ids::uuid[]) order by id for no key update
     )
     update rewards w set taken = w.taken - u.number
     from locked l join unused u on u.id = l.id
     where w.id = l.id`,
    { ids: [...ids] },
  );
}

async function read(db: Db, chosen: string, values: object): Promise<ReadReward[]> {
  const { rows } = await db.raw<{ rows: ReadReward[] }>(
    `select ${COLUMNS} from rewards w where ${chosen}`,
    { ...values },
  );
  return rows;
}

/** What is published, at which tenant, and by whom. */
export type NewReward = { tenantId: TenantId; body: RewardInput; acting: auditLog.Acting };

/**
 * Publishes a reward and records who did it. Throws TENANT_NOT_FOUND, `too_many_rewards`, and
 * VALIDATION_ERROR where `rewardTermsOf` does.
 */
export async function publish(tx: Tx, { tenantId, body, acting }: NewReward): Promise<ReadReward> {
  // Locked, so that two at the same moment are counted.
  const found = await tx('tenants').where({ id: tenantId }).forNoKeyUpdate().first('id');
  if (found === undefined) throw new Refusal('TENANT_NOT_FOUND', 'There is no such tenant.');
  const createdAt = await databaseTime(tx);
  const terms = rewardTermsOf(body, createdAt);
  await requireFewer(tx, 'rewards', { tenantId, most: MOST_REWARDS });
  const id = newId();
  const { actorUserId: createdBy } = acting;
  await tx('rewards').insert({ ...terms, id, tenantId, createdBy, createdAt });
  const reward = one(await read(tx, 'w.id = :id', { id }), 'reward');
  const after = audited(reward);
  await audit(tx, acting, { what: 'reward', done: 'publish', of: reward, before: {}, after });
  return reward;
}

/**
 * Ends a reward, once, and returns it. Codes that were issued before can still be used. A second
 * call changes nothing. Throws NOT_FOUND.
 */
export async function end(
  tx: Tx,
  { tenantId, id, acting }: { tenantId: TenantId; id: RewardId; acting: auditLog.Acting },
): Promise<ReadReward> {
  const hasEnded = await markEnded(tx, 'rewards', { tenantId, id });
  const reward = await get(tx, tenantId, id);
  if (hasEnded) {
    const after = audited(reward);
    const before = { ...after, endedAt: null };
    await audit(tx, acting, { what: 'reward', done: 'end', of: reward, before, after });
  }
  return reward;
}

/** What a reward says, as the audit log keeps it. */
function audited({ endsAt, endedAt, ...terms }: RewardTerms & { endedAt: Date | null }) {
  const { name, kind, pricePoints, valueMinorUnits, stock } = terms;
  return {
    name,
    kind,
    pricePoints,
    valueMinorUnits,
    stock,
    endsAt: endsAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
  };
}

/** Over how many days it is added up what used rewards were worth. */
const FACTOR_DAYS = 90;

/**
 * Returns how many minor units a point was worth in the rewards that were used in the last 90 days,
 * with four decimals; null where none was.
 */
export async function rewardFactor(db: Db, tenantId: TenantId): Promise<number | null> {
  if (!appliesProgrammes(db)) return null;
  const { rows } = await db.raw<{ rows: { factor: number | null }[] }>(
    `select round(sum(w.value_minor_units * used.number) / sum(used.points), 4)::float8 as factor
     from rewards w
     cross join lateral (
       select count(*) as number, sum(points)::numeric as points from redemptions
       where reward_id = w.id and status = 'used'
         and used_at > now() - make_interval(days => ${FACTOR_DAYS})
     ) used
     where w.tenant_id = :tenantId
       and ${endOf('w')} > now() - make_interval(days => ${FACTOR_DAYS + 1})`,
    { tenantId },
  );
  return one(rows, 'factor').factor;
}
