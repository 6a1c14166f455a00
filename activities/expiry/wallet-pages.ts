import type { Db } from '../../db/connection.ts';
import { listWallets } from '../../db/tenants/expiry-runs.ts';
import type { TenantId, WalletId } from '../../domain/ids.ts';
import { continues } from '../progress.ts';

/** How many wallets are gone through at once, at most. */
export const PAGE = 500;

/**
 * Goes through the wallets of a tenant that hold points, page by page, and says before each that
 * the activity is alive.
 */
export async function* walletPages(db: Db, tenantId: TenantId): AsyncGenerator<WalletId[]> {
  for (let after: WalletId | null = null; ; ) {
    continues();
    const ids = await listWallets(db, { tenantId, after, limit: PAGE, which: 'with points' });
    const last = ids.at(-1);
    if (last === undefined) return;
    yield ids;
    after = last;
  }
}
