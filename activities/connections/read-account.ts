import * as accounts from '../../db/connections/accounts.ts';
import type { PosConnection } from '../../db/connections/pos-connections.ts';
import * as currencies from '../../db/tenants/currency.ts';
import type { Alpha } from '../../gateways/alpha/client.ts';
import type { Beta } from '../../gateways/beta/client.ts';
import { type Account, AccountCurrency } from '../../gateways/provider/account.ts';
import { type DueWorker, tasksOf } from '../due-work/worker.ts';
import { withAccessToken } from './access-tokens.ts';
import type { AccessTokenDeps } from './token-refresh.ts';

export type AccountDeps = AccessTokenDeps & {
  alpha: Pick<Alpha, 'findMerchant'>;
  beta: Pick<Beta, 'findMerchant'>;
};

/**
 * Reads accounts that could not be read when they were connected: their names, and the currencies
 * of tenants that have none. Run twice, or at once, it ends the same.
 */
export function readAccount(deps: AccountDeps): DueWorker<'read_account'> {
  return {
    kind: 'read_account',
    // The calls share the limits of ingestion.
    batch: 20,
    atOnce: 1,
    backOff: { firstSeconds: 3_600, longestSeconds: 3_600 },
    async prepare(items) {
      const readable = await accounts.findReadable(
        deps.db,
        items.map(({ id }) => id),
      );
      return tasksOf(items, readable, (connection) => read(deps, connection));
    },
  };
}

/** The account that a token opens, or null when beta has no such merchant. */
export async function findAccount(
  { alpha, beta }: Pick<AccountDeps, 'alpha' | 'beta'>,
  { provider, merchantId }: Pick<PosConnection, 'provider' | 'merchantId'>,
  accessToken: string,
  signal?: AbortSignal,
): Promise<Account | null> {
  const found =
    provider === 'alpha'
      ? await alpha.findMerchant(accessToken, signal)
      : await beta.findMerchant(accessToken, merchantId, signal);
  return found && { name: found.name, currency: AccountCurrency.parse(found.currency) };
}

async function read(deps: AccountDeps, connection: PosConnection): Promise<'done'> {
  const { db } = deps;
  const { tenantId } = connection;
  const account = await withAccessToken(deps, connection, (token) =>
    findAccount(deps, connection, token),
  );
  await db.transaction(async (tx) => {
    // In the order in which connecting locks them.
    await currencies.settle(tx, tenantId, account?.currency ?? null);
    const isSame = await accounts.record(tx, connection, account?.name ?? null);
    if (!isSame) throw new Error('Another account was connected meanwhile.');
  });
  return 'done';
}
