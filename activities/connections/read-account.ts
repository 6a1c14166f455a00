import * as accounts from '../../db/connections/accounts.ts';
import type { PosConnection } from '../../db/connections/pos-connections.ts';
import * as currencies from '../../db/tenants/currency.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import { continues } from '../progress.ts';
import { withAccessToken } from './access-tokens.ts';
import type { AccessTokenDeps } from './token-refresh.ts';

export type AccountDeps = AccessTokenDeps & { log: Pick<Logger, 'error'> };

/** Few, since the calls share the limits of ingestion, and are needed once per connection. */
const READ_BATCH = 20;
/** One activity ends well within its time; what is left is the next one's. */
const BUDGET_MS = 15_000;

/** The steps that read accounts whose provider did not answer while they were connected. */
export function createAccountActivities(deps: AccountDeps) {
  return {
    /**
     * Reads the accounts of connections that were never read, for some seconds: their names, and
     * the currencies of tenants that have none. A provider that does not answer is asked again
     * after an hour, and holds up no other. Returns how many accounts were read; run twice, or at
     * once, it ends the same.
     */
    async settleAccounts(): Promise<number> {
      const { db } = deps;
      const until = performance.now() + BUDGET_MS;
      let settled = 0;
      for (;;) {
        const unread = await accounts.listUnread(db, READ_BATCH);
        for (const connection of unread) {
          if (performance.now() > until) return settled;
          continues();
          settled += await readOrPostpone(deps, connection);
        }
        if (unread.length < READ_BATCH) return settled;
      }
    },
  };
}


async function readOrPostpone(deps: AccountDeps, connection: PosConnection): Promise<number> {
  const { db, log } = deps;
  const { id, tenantId, provider, merchantId } = connection;
  try {
    const account = await withAccessToken(deps, connection, (token) =>
      deps.providers[provider].findAccount(token, merchantId),
    );
    await db.transaction(async (tx) => {
      // In the order in which connecting locks them.
      await currencies.settle(tx, tenantId, account?.currency ?? null);
      const isSame = await accounts.record(tx, connection, account?.name ?? null);
      if (!isSame) throw new Error('Another account was connected meanwhile.');
    });
    return 1;
  } catch (err) {
    const message = 'The account of a connection could not be read; it is asked again in an hour';
    log.error({ event: 'account_not_read', err, connectionId: id }, message);
    await accounts.postpone(db, id);
    return 0;
  }
}
