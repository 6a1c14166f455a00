import type { RedemptionId, TenantId } from '../../domain/ids.ts';
import type { Db } from '../connection.ts';

// Which run follows which redemptions, and how far these are.

/** Redemptions that a run is given to follow. It follows those that no other run follows. */
export type FollowedBatch = { runId: string; ids: readonly RedemptionId[] };

/** How far the redemptions of a batch are that its run follows, by the database's clock. */
export type BatchProgress = {
  /** How many can be used or will be expired. One that could not be expired is reconcile's. */
  open: number;
  used: number;
  expired: number;
  /** How many are expired without their owner having been informed. */
  uninformed: number;
  /** The time until the next codes expire: those that expire within a second, together. */
  nextExpiryInMs: number;
  /** The time until no code of the batch can be used any more. */
  lastExpiryInMs: number;
};

/**
 * A run that mails owners says so at least this often. Once it has not, it is gone, and another
 * run may mail them.
 */
const MAILING_WITHIN_SECONDS = 900;

const SILENT = `followed_at < statement_timestamp()
  - make_interval(secs => ${MAILING_WITHIN_SECONDS})`;
/** A run that mails codes says so with each attempt, since a code is of use for minutes only. */
const MAILING_CODES_WITHIN_SECONDS = 180;
const UNMAILED = `status = 'issued' and code_mailed_at is null`;
const SILENT_ABOUT_CODE = `${UNMAILED} and expires_at > statement_timestamp()
  and followed_at < statement_timestamp() - make_interval(secs => ${MAILING_CODES_WITHIN_SECONDS})`;
/**
 * The condition by which the owner of a code is still to be mailed about its expiry, wherever that
 * is asked; `r` is what the statement calls the table.
 */
export const expiryUntold = (r: string) =>
  `${r}.status = 'expired' and ${r}.expiry_told_at is null`;
const UNTOLD = expiryUntold('redemptions');

const PROGRESS = `
  own as (
    select status, expires_at, expiry_told_at,
      status = 'issued' and next_expiry_at is null as is_open
    from mine
  ),
  waves as (
    select min(expires_at) + interval '1 second' as first_until, max(expires_at) as last
    from own where is_open
  )
  select
    count(*) filter (where is_open)::integer as open,
    count(*) filter (where status = 'used')::integer as used,
    count(*) filter (where status = 'expired')::integer as expired,
    count(*) filter (where ${expiryUntold('own')})::integer as uninformed,
    coalesce(greatest(0, ceil(extract(epoch from
      max(expires_at) filter (where is_open and expires_at <= first_until)
        - statement_timestamp()) * 1000)), 0)::integer as next_expiry_in_ms,
    coalesce(greatest(0, ceil(extract(epoch from
      max(last) - statement_timestamp()) * 1000)), 0)::integer as last_expiry_in_ms
  from own cross join waves`;

const FOLLOW = `
  with free as (
    select id from redemptions
    where id = any(:ids::uuid[])
      and (followed_at is null or followed_by = :runId or (${UNTOLD} and ${SILENT})
        or (${SILENT_ABOUT_CODE}))
    order by id for no key update
  ),
  mine as (
    update redemptions r set followed_at = statement_timestamp(), followed_by = :runId
    from free where r.id = free.id
    returning r.status, r.expires_at, r.next_expiry_at, r.expiry_told_at
  ), ${PROGRESS}`;

const FIND = `
  with mine as (
    select * from redemptions where id = any(:ids::uuid[]) and followed_by = :runId
  ), ${PROGRESS}`;

/**
 * Records that the run follows those of its batch that no other run follows, and returns their
 * progress. A second call of the same run finds them to be its own.
 */
export async function follow(db: Db, batch: FollowedBatch): Promise<BatchProgress> {
  return progressBy(db, FOLLOW, batch);
}

/** Returns the progress of those redemptions of the batch that its run follows. */
export async function findBatchProgress(db: Db, batch: FollowedBatch): Promise<BatchProgress> {
  return progressBy(db, FIND, batch);
}

async function progressBy(
  db: Db,
  statement: string,
  { runId, ids }: FollowedBatch,
): Promise<BatchProgress> {
  const bindings = { runId, ids: [...ids] };
  const { rows } = await db.raw<{ rows: [BatchProgress] }>(statement, bindings);
  return rows[0];
}

/**
 * Records that the run is there to mail codes, or to inform owners, so that no other run does. To
 * be called with each attempt.
 */
export async function renewFollowing(db: Db, { runId, ids }: FollowedBatch): Promise<void> {
  await db.raw(
    `update redemptions r set followed_at = statement_timestamp()
     from (
       select id from redemptions
       where id = any(:ids::uuid[]) and followed_by = :runId and (${UNTOLD} or ${UNMAILED})
       order by id for no key update
     ) own
     where r.id = own.id`,
    { runId, ids: [...ids] },
  );
}

export type Unfollowed = { id: RedemptionId; tenantId: TenantId };

/**
 * The API starts the run of a newer redemption, and the run records that it follows it. In a
 * backlog both take a while, and to start runs that exist would make it worse.
 */
const FOLLOWED_WITHIN_SECONDS = 120;
/** An older expiry is not worth a mail any more. */
const MAIL_WITHIN_DAYS = 1;

/**
 * Lists redemptions that should have a run but have none, ordered by id, starting after `after`:
 * the run mails the code and expires it on time, or mails the owner that it has expired.
 */
export async function listUnfollowed(
  db: Db,
  options: { after: RedemptionId | null; limit: number },
): Promise<Unfollowed[]> {
  // Each part goes by its own index, and reads no more than the limit.
  const { rows } = await db.raw<{ rows: Unfollowed[] }>(
    `(select id, tenant_id from redemptions
      where status <> 'used' and followed_at is null
        and created_at < statement_timestamp() - make_interval(secs => :quiet)
        and (:after::uuid is null or id > :after::uuid)
      order by id limit :limit)
     union all
     (select id, tenant_id from redemptions
      where ${SILENT_ABOUT_CODE} and (:after::uuid is null or id > :after::uuid)
      order by id limit :limit)
     union all
     (select id, tenant_id from redemptions
      where ${UNTOLD} and ${SILENT}
        and expired_at between statement_timestamp() - make_interval(days => :days)
          and statement_timestamp() - make_interval(secs => :quiet)
        and (:after::uuid is null or id > :after::uuid)
      order by id limit :limit)
     order by id limit :limit`,
    { quiet: FOLLOWED_WITHIN_SECONDS, days: MAIL_WITHIN_DAYS, ...options },
  );
  return rows;
}
