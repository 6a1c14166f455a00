import type { RedemptionId, TenantId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Db } from '../connection.ts';
import { expiryUntold, type FollowedBatch } from './following.ts';

/** The content of a mail about a redemption. */
export type RedemptionMailData = {
  id: RedemptionId;
  tenantId: TenantId;
  tenantName: string;
  /** The name of the stored logo. */
  logoPath: string | null;
  color: string | null;
  currency: string | null;
  country: string | null;
  timeZone: string | null;
  /** The owner's address; null if it is not verified. */
  email: string | null;
  language: Language | null;
  points: number;
  discountValueMinorUnits: number;
  /** The name of the reward that it is for; null for points that the till takes off. */
  reward: string | null;
  sealedCode: Sealed | null;
  expiresAt: Date;
  /** How often the mail with its code was sent again. */
  resent: number;
  pointsReturned: boolean;
};

/** The condition by which the code of a redemption is still to be mailed. */
const unmailed = (r: string) => `
  ${r}.status = 'issued' and ${r}.expires_at > statement_timestamp()
  and ${r}.code_mailed_at is null`;
const EXPIRY_UNTOLD = expiryUntold('r');

/** More codes than a person can ask for in a minute. */
const MOST_IN_A_MAIL = 100;

const MAIL_DATA = `
  select r.id, r.tenant_id, t.name as tenant_name, t.logo_path, t.color, r.currency, t.country,
    t.time_zone,
    case when u.email_verified then u.email end as email, u.language, r.points,
    r.discount_value_minor_units,
    (select name from rewards where id = r.reward_id) as reward, r.sealed_code, r.expires_at,
    r.code_resent as resent, r.points_returned
  from redemptions r join tenants t on t.id = r.tenant_id join users u on u.id = r.user_id`;

/** What a run may ask for of its batch: the next mails after `after`, in the order of the ids. */
export type MailPage = FollowedBatch & { after: RedemptionId | null; limit: number };

const OF_PAGE = `r.id = any(:ids::uuid[]) and r.followed_by = :runId
  and (:after::uuid is null or r.id > :after::uuid)`;

/** Codes of a wallet that are issued within this time come in one mail: one of many would hide. */
const TOGETHER_SECONDS = 60;
/** While another run mails the codes of a wallet, one that waits for it asks again after this. */
const ASK_AGAIN_SECONDS = 5;

/** When a code of the wallet was last mailed, if that was within the time. */
const LAST_MAILED = `(
  select max(m.code_mailed_at) from redemptions m
  where m.wallet_id = r.wallet_id and m.status = any(array['issued', 'used', 'expired'])
    and m.created_at > statement_timestamp() - interval '1 hour'
    and m.code_mailed_at > statement_timestamp() - make_interval(secs => ${TOGETHER_SECONDS}))`;

/**
 * The first of a wallet's codes is mailed with all others, whichever runs follow them: the first by
 * the clock of the database, since the clocks that make ids differ, and a code that was there alone
 * may be on its way already. One that could not be mailed for twice the time holds up the others no
 * longer.
 */
const IS_FIRST = `not exists (
  select from redemptions o
  where o.wallet_id = r.wallet_id and (o.created_at, o.id) < (r.created_at, r.id)
    and ${unmailed('o')}
    and o.created_at > statement_timestamp() - make_interval(secs => 2 * ${TOGETHER_SECONDS}))`;

/**
 * Lists codes that can be used and were not mailed, in the groups that are to come in one mail: a
 * wallet gets one in a minute. The first of each group is one that the run follows.
 */
export async function listCodeMails(db: Db, page: MailPage): Promise<RedemptionMailData[][]> {
  const { rows } = await db.raw<{ rows: (RedemptionMailData & { first: RedemptionId })[] }>(
    `with due as (
       select r.id, r.wallet_id, r.created_at from redemptions r
       where ${OF_PAGE} and ${unmailed('r')} and ${IS_FIRST} and ${LAST_MAILED} is null
       order by r.id limit :limit
     )
     select data.*, due.id as first
     from due cross join lateral (
       ${MAIL_DATA} where r.wallet_id = due.wallet_id
         and (r.created_at, r.id) >= (due.created_at, due.id) and ${unmailed('r')}
       order by r.created_at, r.id limit ${MOST_IN_A_MAIL}
     ) data
     order by due.id, data.expires_at, data.id`,
    { ...page, ids: [...page.ids] },
  );
  const groups = new Map<RedemptionId, RedemptionMailData[]>();
  for (const { first, ...data } of rows) groups.set(first, [...(groups.get(first) ?? []), data]);
  return [...groups.values()];
}

/** Returns in how many milliseconds codes of the batch that had to wait can be mailed, if any. */
export async function nextCodeMailInMs(
  db: Db,
  { ids, runId }: FollowedBatch,
): Promise<number | null> {
  const { rows } = await db.raw<{ rows: { ms: number | null }[] }>(
    `select ceil(1000 * min(greatest(1, coalesce(
       extract(epoch from ${LAST_MAILED} - statement_timestamp()) + ${TOGETHER_SECONDS},
       ${ASK_AGAIN_SECONDS}))))::integer as ms
     from redemptions r
     where r.id = any(:ids::uuid[]) and r.followed_by = :runId and ${unmailed('r')}`,
    { ids: [...ids], runId },
  );
  return rows[0]?.ms ?? null;
}

/** Lists codes that expired without their owner being informed, of those that the run follows. */
export async function listExpiryMails(
  db: Db,
  { ids, ...page }: MailPage,
): Promise<RedemptionMailData[]> {
  const { rows } = await db.raw<{ rows: RedemptionMailData[] }>(
    `${MAIL_DATA} where ${OF_PAGE} and ${EXPIRY_UNTOLD} order by r.id limit :limit`,
    { ...page, ids: [...ids] },
  );
  return rows;
}

/** Records that the codes were mailed, or cannot be mailed. */
export async function markCodesMailed(db: Db, ids: readonly RedemptionId[]): Promise<void> {
  await mark(db, ids, 'code_mailed_at');
}

/** Records that the owners were mailed about the expiry, or cannot be. */
export async function markExpiriesMailed(db: Db, ids: readonly RedemptionId[]): Promise<void> {
  await mark(db, ids, 'expiry_told_at');
}

async function mark(
  db: Db,
  ids: readonly RedemptionId[],
  column: 'code_mailed_at' | 'expiry_told_at',
): Promise<void> {
  await db.raw(
    `update redemptions r set ${column} = statement_timestamp()
     from (
       select id from redemptions where id = any(:ids::uuid[]) and ${column} is null
       order by id for no key update
     ) unmarked
     where r.id = unmarked.id`,
    { ids: [...ids] },
  );
}
