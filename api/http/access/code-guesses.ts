import type { Db } from '../../../db/connection.ts';
import * as guesses from '../../../db/redemptions/code-guesses.ts';
import type { TenantId, UserId } from '../../../domain/ids.ts';
import { isWellFormed } from '../../../domain/redemption.ts';
import type { Deps } from '../deps.ts';
import { HttpRefusal } from '../replies/errors.ts';

/**
 * Throws RATE_LIMITED while the operator is blocked, because of too many unknown codes; with the
 * headers of the request's quota, where it was not answered yet.
 */
export async function requireNoGuessing(
  db: Db,
  userId: UserId,
  quota: Readonly<Record<string, string>> = {},
): Promise<void> {
  const seconds = await guesses.secondsBlocked(db, userId);
  if (seconds === 0) return;
  throw new HttpRefusal(
    'RATE_LIMITED',
    'Too many different codes were unknown. Try again in a minute.',
    429,
    { headers: { ...quota, 'Retry-After': String(seconds) } },
  );
}

/**
 * Counts an unknown code of an operator, unless it cannot be one. Must run outside the request's
 * transaction, which ends without effect, and may hold the last free connection.
 */
export async function countUnknownCode(
  deps: Pick<Deps, 'db' | 'codes' | 'log' | 'metrics'>,
  { code, ...of }: { userId: UserId; tenantId: TenantId; code: string },
): Promise<void> {
  if (isWellFormed(code)) await countUnknown(deps, { ...of, text: code });
}

/** Counts something else that an operator looked up in vain, as an unknown code. */
export async function countUnknown(
  { db, codes, log, metrics }: Pick<Deps, 'db' | 'codes' | 'log' | 'metrics'>,
  { userId, tenantId, text }: { userId: UserId; tenantId: TenantId; text: string },
): Promise<void> {
  const [hmac] = codes.hmacsOf(text);
  if (hmac === undefined) return;
  const isBlocked = await guesses.recordUnknown(db, userId, hmac);
  if (!isBlocked) return;
  metrics.operatorBlocked();
  log.warn(
    { event: 'codes_guessed', user: userId, tenant: tenantId },
    'An operator tried many unknown codes and is blocked for a minute',
  );
}
