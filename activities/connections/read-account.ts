import type { Db } from '../../db/connection.ts';
import * as accounts from '../../db/connections/accounts.ts';
import type { PosConnection } from '../../db/connections/pos-connections.ts';
import * as currencies from '../../db/tenants/currency.ts';
import type { TenantId } from '../../domain/ids.ts';
import type { Alpha } from '../../gateways/alpha/client.ts';
import type { Beta } from '../../gateways/beta/client.ts';
import { type Account, AccountCurrency } from '../../gateways/provider/account.ts';
import { type DueWorker, tasksOf } from '../due-work/worker.ts';
import { continues } from '../progress.ts';
import { withAccessToken } from './access-tokens.ts';
import type { AccessTokenDeps } from './token-refresh.ts';

export type AccountDeps = AccessTokenDeps & {
  alpha: Pick<Alpha, 'findMerchant'>;
  beta: Pick<Beta, 'findMerchant'>;
};

/** How many tenants one statement settles; each may read thousands of payments. */
const SETTLED = 50;

/** The step that settles what accounts did not say. */
export function createAccountActivities({ db }: { db: Db }) {
  return {
    /**
     * Settles the currencies of all tenants that have no account left to ask, whatever has become
     * of their connections, by their payments. Returns how many. A second call finds none.
     */
    async settleCurrencies(): Promise<number> {
      let settled = 0;
      let after: TenantId | null = null;
      do {
        continues();
        const page: Settled = await currencies.settleByPayments(db, { after, limit: SETTLED });
        settled += page.settled;
        after = page.last;
      } while (after !== null);
      return settled;
    },
  };
}

/**
 * Reads accounts that could not be read when they were connected: their names, and the currencies
 * of tenants that have none. A tenant whose last account says no currency gets that of most of its
 * credited payments. Run twice, or at once, it ends the same.
 */
export function readAccount(deps: AccountDeps): DueWorker<'read_account'> {
  return {
    kind: 'read_account',
    // The calls share the limits of ingestion.
    batch: 20,
    atOnce: 1,
    backOff: { firstSeconds: 3_600, longestSeconds: 3_600 },
    async prepare(items) {
      const unread = await accounts.findUnread(
        deps.db,
        items.map(({ id }) => id),
      );
      return tasksOf(items, unread, (connection) => read(deps, connection));
    },
  };
}

type Settled = Awaited<ReturnType<typeof currencies.settleByPayments>>;

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
  // Locks the tenant, which after the connection would be the wrong order.
  await currencies.settleByPayments(db, { tenantId });
  return 'done';
}
