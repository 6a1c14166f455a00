import * as accounts from '../../db/connections/accounts.ts';
import type { PosConnection } from '../../db/connections/pos-connections.ts';
import * as countries from '../../db/tenants/country.ts';
import * as currencies from '../../db/tenants/currency.ts';
import { type DueWorker, type Outcome, tasksOf } from '../due-work/worker.ts';
import { withAccessToken } from './access-tokens.ts';
import type { AccessTokenDeps } from './token-refresh.ts';

/**
 * Reads accounts that could not be read when they were connected: their names, and the currencies
 * and countries of tenants that have none. Run twice, or at once, it ends the same.
 */
export function readAccount(deps: AccessTokenDeps): DueWorker<'read_account'> {
  return {
    kind: 'read_account',
    // The calls share the limits of ingestion.
    batch: 20,
    atOnce: 1,
    backOff: { firstSeconds: 3_600, longestSeconds: 3_600 },
    prepare: (items) =>
      tasksOf(
        items,
        (ids) => accounts.findReadable(deps.db, ids),
        (connection) => read(deps, connection),
      ),
  };
}

async function read(deps: AccessTokenDeps, connection: PosConnection): Promise<Outcome> {
  const { db, providers } = deps;
  const { tenantId, provider, merchantId, needsReconnectSince } = connection;
  // Its tokens may be accepted again, without its merchant.
  if (needsReconnectSince !== null) return 'later';
  const account = await withAccessToken(deps, connection, (token) =>
    providers[provider].findAccount(token, merchantId),
  );
  await db.transaction(async (tx) => {
    // In the order in which connecting locks them.
    await currencies.settle(tx, tenantId, account?.currency ?? null);
    await countries.settle(tx, tenantId, account?.country ?? null);
    const isSame = await accounts.record(tx, connection, account);
    if (!isSame) throw new Error('Another account was connected meanwhile.');
  });
  return 'done';
}
