import type { RedemptionId, TenantId } from '../../domain/ids.ts';
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
  currency: string | null;
  country: string | null;
  timeZone: string | null;
  /** The owner's address; null if it is not verified. */
  email: string | null;
  points: number;
  discountValueMinorUnits: number;
  sealedCode: Sealed | null;
  expiresAt: Date;
  pointsReturned: boolean;
};

const USABLE = `r.status = 'issued' and r.expires_at > statement_timestamp()`;
const EXPIRY_UNTOLD = expiryUntold('r');

const MAIL_DATA = `
  select r.id, r.tenant_id, t.name as tenant_name, t.logo_path, r.currency, t.country, t.time_zone,
    case when u.email_verified then u.email end as email, r.points, r.discount_value_minor_units,
    r.sealed_code, r.expires_at, r.points_returned
  from redemptions r join tenants t on t.id = r.tenant_id join users u on u.id = r.user_id`;

/** What a run may ask for of its batch: the next mails after `after`, in the order of the ids. */
export type MailPage = FollowedBatch & { after: RedemptionId | null; limit: number };

const OF_PAGE = `r.id = any(:ids::uuid[]) and r.followed_by = :runId
  and (:after::uuid is null or r.id > :after::uuid)`;

/** Lists codes that can be used and were not mailed, of those that the run follows. */
export async function listCodeMails(db: Db, page: MailPage): Promise<RedemptionMailData[]> {
  return listMails(db, page, `${USABLE} and r.code_mailed_at is null`);
}

/** Lists codes that expired without their owner being informed, of those that the run follows. */
export async function listExpiryMails(db: Db, page: MailPage): Promise<RedemptionMailData[]> {
  return listMails(db, page, EXPIRY_UNTOLD);
}

async function listMails(
  db: Db,
  { ids, ...page }: MailPage,
  due: string,
): Promise<RedemptionMailData[]> {
  const { rows } = await db.raw<{ rows: RedemptionMailData[] }>(
    `${MAIL_DATA} where ${OF_PAGE} and ${due} order by r.id limit :limit`,
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
