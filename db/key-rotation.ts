import type { AttemptId, ConnectionId, RedemptionId, TenantId } from '../domain/ids.ts';
import type { Provider } from '../domain/payment.ts';
import type { Sealed } from '../domain/sealed.ts';
import type { Db } from './connection.ts';
import { one } from './one.ts';

// The values sealed at rest, for the rotation of keys. Every replacement is conditional on the old
// value, so that a value written in the meantime is kept.

export type Page<Id> = { notUnder: string; after: Id | null; limit: number };

const isOld = (column: string) => `split_part(${column}, '.', 2) <> :notUnder`;

/** The rows with a value that is not sealed under key `notUnder`, as a table and a condition. */
export const OLD = {
  connections: `pos_connections
    where (${isOld('sealed_access_token')} or ${isOld('sealed_refresh_token')})`,
  codes: `redemptions
    where status = 'issued' and (code_key_id <> :notUnder or ${isOld('sealed_code')})`,
  authorizations: `oauth_attempts where status = 'waiting' and ${isOld('sealed_code')}`,
  endpointSecrets: `webhook_endpoint_secrets where ${isOld('sealed_secret')}`,
} as const;

/** Counts the rows with a value that is not sealed under key `notUnder`. */
export async function countOld(db: Db, kind: keyof typeof OLD, notUnder: string): Promise<number> {
  const { rows } = await db.raw<{ rows: { old: number }[] }>(
    `select count(*) as old from ${OLD[kind]}`,
    { notUnder },
  );
  return one(rows, 'count of sealed values').old;
}

export type SealedTokens = {
  id: ConnectionId;
  tenantId: TenantId;
  provider: Provider;
  sealedAccessToken: Sealed;
  sealedRefreshToken: Sealed | null;
};

/** Lists connections with a token that is not sealed under key `notUnder`. */
export async function listTokens(db: Db, page: Page<ConnectionId>): Promise<SealedTokens[]> {
  const { rows } = await db.raw<{ rows: SealedTokens[] }>(
    `select id, tenant_id, provider, sealed_access_token, sealed_refresh_token
     from ${OLD.connections}
       and (:after::uuid is null or id > :after::uuid)
     order by id limit :limit`,
    page,
  );
  return rows;
}

/** Replaces both tokens of a connection unless they have changed; returns whether it did. */
export async function replaceTokens(
  db: Db,
  old: SealedTokens,
  renewed: Pick<SealedTokens, 'sealedAccessToken' | 'sealedRefreshToken'>,
): Promise<boolean> {
  const { id, sealedAccessToken, sealedRefreshToken } = old;
  const replaced = await db('pos_connections')
    .where({ id, sealedAccessToken })
    .whereRaw('sealed_refresh_token is not distinct from ?', [sealedRefreshToken])
    .update(renewed);
  return replaced > 0;
}

export type SealedRedemption = { id: RedemptionId; tenantId: TenantId; sealedCode: Sealed };

/** Lists issued codes whose sealed copy or HMAC is not under key `notUnder`. */
export async function listCodes(db: Db, page: Page<RedemptionId>): Promise<SealedRedemption[]> {
  const { rows } = await db.raw<{ rows: SealedRedemption[] }>(
    `select id, tenant_id, sealed_code from ${OLD.codes}
       and (:after::uuid is null or id > :after::uuid)
     order by id limit :limit`,
    page,
  );
  return rows;
}

/**
 * Replaces the HMAC and sealed copy of an issued code unless it was closed in the meantime; returns
 * whether it did.
 */
export async function replaceCode(
  db: Db,
  old: SealedRedemption,
  renewed: { keyId: string; hmac: Buffer; sealed: Sealed },
): Promise<boolean> {
  const { id, sealedCode } = old;
  const replaced = await db('redemptions').where({ id, sealedCode, status: 'issued' }).update({
    codeKeyId: renewed.keyId,
    codeHmac: renewed.hmac,
    sealedCode: renewed.sealed,
  });
  return replaced > 0;
}

export type SealedAttempt = {
  id: AttemptId;
  tenantId: TenantId;
  provider: Provider;
  sealedCode: Sealed;
};

/** Lists authorizations waiting for their exchange, with a code not sealed under `notUnder`. */
export async function listAttempts(db: Db, page: Page<AttemptId>): Promise<SealedAttempt[]> {
  const { rows } = await db.raw<{ rows: SealedAttempt[] }>(
    `select id, tenant_id, provider, sealed_code from ${OLD.authorizations}
       and (:after::uuid is null or id > :after::uuid)
     order by id limit :limit`,
    page,
  );
  return rows;
}

/** Replaces the code of a waiting authorization unless it was taken; returns whether it did. */
export async function replaceAttempt(
  db: Db,
  { id, sealedCode }: SealedAttempt,
  sealed: Sealed,
): Promise<boolean> {
  const replaced = await db('oauth_attempts')
    .where({ id, sealedCode, status: 'waiting' })
    .update({ sealedCode: sealed });
  return replaced > 0;
}

/** Values that still need an older key, because they cannot be computed again under a new one. */
export type Remainder = {
  /** Codes closed within 30 days, which a till could no longer find without the key. */
  closedCodes: number;
  /** Responses stored for repeated requests, for at most 24 hours. */
  answers: number;
  /** Anonymous payments whose consumer may still sign up, for at most 30 days. */
  anonymousPayments: number;
  /** Imported members who have not signed up yet, for at most a year after the approval. */
  importedMembers: number;
  /** People who were erased in the last 30 days, whose tokens of before are refused. */
  erasedPeople: number;
};

/** How long a till is told that a closed code was used or has expired, after a rotation. */
const CLOSED_DAYS = 30;
/**
 * Ids ascend with time, so that codes issued before that need not be read. A code is closed within
 * minutes of its issue, or once a worker runs again: a month is more than that takes.
 */
const ISSUED_DAYS = CLOSED_DAYS + 30;

/**
 * When the rotation to a key was complete, by the audit log: at the last run of `rotate-keys` that
 * found something to seal again, else at the first one. What was stored since is under the key.
 */
const ROTATED_AT = `
  select coalesce(max(created_at) filter (where (after ->> 'resealed')::integer > 0),
    min(created_at))
  from audit_log
  where action = 'key.rotate' and after ->> 'keyId' = :keyId and seq > (
    select coalesce(max(seq), 0) from audit_log
    where action = 'key.rotate' and after ->> 'keyId' <> :keyId)`;

type Counted = {
  left: Remainder;
  rotatedAt: Date | null;
  /** When no member is waited for any more, if drafts were approved now; null without any. */
  importsUntil: Date | null;
};

/**
 * Counts the values that only time removes: under a key they are recognised, never opened. Returns
 * with them when the rotation was complete: 30 days later all counts are 0 but that of imported
 * members. Reads what was stored in the last two months at most, however much there is, and the
 * members that are waited for.
 */
export async function countRemainder(db: Db, keyId: string): Promise<Counted> {
  const { rows } = await db.raw<{ rows: (Remainder & Omit<Counted, 'left'>)[] }>(
    `with rotation as materialized (select (${ROTATED_AT}) as rotated_at)
     select
       (select count(*) from redemptions
        where status <> 'issued' and code_key_id <> :keyId
          and id >= first_event_id(now() - make_interval(days => :issuedDays))
          and coalesce(used_at, expired_at) > now() - make_interval(days => :days))
         as closed_codes,
       (select count(*) from idempotency_keys i where i.created_at <= coalesce(r.rotated_at, now()))
         as answers,
       (select count(*) from payments p
        where (p.email_fingerprint is not null or p.phone_fingerprint is not null)
          and p.created_at <= coalesce(r.rotated_at, now()))
         as anonymous_payments,
       members.imported_members,
       (select count(*) from erased_subjects e
        where e.erased_at <= coalesce(r.rotated_at, now()))
         as erased_people,
       r.rotated_at,
       members.imports_until
     from rotation r, lateral (
       select count(*) as imported_members,
         max(coalesce(m.waits_until, now() + interval '12 months')) as imports_until
       from import_rows m join imports i on i.id = m.import_id
       where m.fingerprint is not null and i.created_at <= coalesce(r.rotated_at, now())) members`,
    { keyId, days: CLOSED_DAYS, issuedDays: ISSUED_DAYS },
  );
  const { rotatedAt, importsUntil, ...left } = one(rows, 'count');
  return { left, rotatedAt, importsUntil };
}
