import type { Db } from '../../db/connection.ts';
import { listWallets } from '../../db/tenants/expiry-runs.ts';
import type { TenantId, WalletId } from '../../domain/ids.ts';
import { continues } from '../progress.ts';

const PAGE = 500;

/**
 * Goes through the wallets of a tenant that hold points, after `from`, page by page, and says
 * before each that the activity is alive.
 */
export async function* walletPages(
  db: Db,
  tenantId: TenantId,
  from: WalletId | null = null,
): AsyncGenerator<{ ids: WalletId[]; last: WalletId }> {
  for (let after = from; ; ) {
    continues();
    const ids = await listWallets(db, { tenantId, after, limit: PAGE });
    const last = ids.at(-1);
    if (last === undefined) return;
    yield { ids, last };
    after = last;
  }
}
