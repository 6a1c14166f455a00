import type { AttemptId, ConnectionId, RedemptionId, TenantId } from '../domain/ids.ts';
import type { Provider } from '../domain/payment.ts';
import type { Sealed } from '../domain/sealed.ts';
import type { Db } from './connection.ts';

// What is sealed at rest, for the rotation of keys. Every replacement names the value it replaces,
// so that one that was written meanwhile stays.

export type Page<Id> = { notUnder: string; after: Id | null; limit: number };

export type SealedTokens = {
  id: ConnectionId;
  tenantId: TenantId;
  provider: Provider;
  sealedAccessToken: Sealed;
  sealedRefreshToken: Sealed | null;
};

/** Lists connections, disconnected ones too, with a token that is not sealed under that key. */
export async function listTokens(db: Db, page: Page<ConnectionId>): Promise<SealedTokens[]> {
  const { rows } = await db.raw<{ rows: SealedTokens[] }>(
    `select id, tenant_id, pos_type as provider, sealed_access_token, sealed_refresh_token
     from pos_connections
     where (split_part(sealed_access_token, '.', 2) <> :notUnder
         or split_part(sealed_refresh_token, '.', 2) <> :notUnder)
       and (:after::uuid is null or id > :after::uuid)
     order by id limit :limit`,
    page,
  );
  return rows;
}

/** Replaces both tokens of a connection, unless they have changed, and says whether it did. */
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

/** Lists issued codes that are not sealed, or not found, under that key. */
export async function listCodes(db: Db, page: Page<RedemptionId>): Promise<SealedRedemption[]> {
  const { rows } = await db.raw<{ rows: SealedRedemption[] }>(
    `select id, tenant_id, sealed_code from redemptions
     where status = 'issued'
       and (code_key_id <> :notUnder or split_part(sealed_code, '.', 2) <> :notUnder)
       and (:after::uuid is null or id > :after::uuid)
     order by id limit :limit`,
    page,
  );
  return rows;
}

/** Replaces the forms of an issued code, unless it was closed meanwhile; says whether it did. */
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

/** Lists authorizations that wait for their exchange with a code that is not sealed under that key. */
export async function listAttempts(db: Db, page: Page<AttemptId>): Promise<SealedAttempt[]> {
  const { rows } = await db.raw<{ rows: SealedAttempt[] }>(
    `select id, tenant_id, provider, sealed_code from oauth_attempts
     where status = 'waiting' and split_part(sealed_code, '.', 2) <> :notUnder
       and (:after::uuid is null or id > :after::uuid)
     order by id limit :limit`,
    page,
  );
  return rows;
}

/** Replaces the code of a waiting authorization, unless it was taken; says whether it did. */
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

/** What an older key is still needed for, because it cannot be made anew. */
export type Remainder = {
  /** Closed codes that a till would no longer find. */
  closedCodes: number;
  /** Answers kept for repeated requests, at most 24 hours. */
  answers: number;
  /** Anonymous payments that wait for somebody to sign up, at most 30 days. */
  anonymousPayments: number;
};

/** Counts what only time ends: values that are recognised under a key but cannot be opened. */
export async function countRemainder(db: Db, keyId: string): Promise<Remainder> {
  const { rows } = await db.raw<{ rows: Remainder[] }>(
    `select
       (select count(*) from redemptions where status <> 'issued' and code_key_id <> :keyId)
         as closed_codes,
       (select count(*) from idempotency_keys) as answers,
       (select count(*) from payments
        where email_fingerprint is not null or phone_fingerprint is not null)
         as anonymous_payments`,
    { keyId },
  );
  return rows[0] ?? { closedCodes: 0, answers: 0, anonymousPayments: 0 };
}
