import type { Db } from '../../db/connection.ts';
import * as signing from '../../db/statements/signing.ts';
import type { TenantId } from '../../domain/ids.ts';
import { NO_HASH, type StoredStatement, statementText } from '../../domain/statement.ts';
import { hashOfStatement } from '../../gateways/crypto/proof-check.ts';
import type { StatementKeys } from '../../gateways/crypto/statement-keys.ts';
import { rootOfWallets } from '../../gateways/crypto/statement-tree.ts';

/**
 * The most wallets that a statement names; a tenant with more gets several statements of the day.
 * A proof reads one statement, whose tree is then computed in some milliseconds.
 */
export const MAX_WALLETS = 10_000;

export type SigningDeps = { db: Db; statementKeys: StatementKeys };

/**
 * Signs a tenant's next statement and returns how many wallets it names, 0 when nothing has moved.
 * Of several at the same moment one is kept, and the others change nothing and return 0.
 */
export async function signStatement(
  { db, statementKeys }: SigningDeps,
  tenantId: TenantId,
  maxWallets = MAX_WALLETS,
): Promise<number> {
  const { day, at, newest, heads, idle } = await signing.readMovement(db, tenantId, maxWallets);
  if (idle.length > 0) await signing.forgetIdle(db, tenantId, idle);
  if (heads.length === 0) return 0;
  const number = (newest?.number ?? 0) + 1;
  const text = statementText({
    tenantId,
    number,
    day,
    at: at.toISOString(),
    previous: newest === null ? NO_HASH : hashOfStatement(newest.text),
    root: rootOfWallets(heads),
    size: heads.length,
    keyId: statementKeys.current.keyId,
  });
  const signature = statementKeys.sign(text);
  const stored = { format: 'loyalty-statement/v1', text, signature, wallets: heads } as const;
  const body = JSON.stringify(stored satisfies StoredStatement);
  const statement = { tenantId, number, day, text, signature, body, heads };
  return (await signing.insert(db, statement)) ? heads.length : 0;
}
