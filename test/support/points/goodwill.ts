import type { Db } from '../../../db/connection.ts';
import * as goodwill from '../../../db/goodwill.ts';
import type { GoodwillId, TenantId } from '../../../domain/ids.ts';
import { aUser, aWallet } from '../factories.ts';

/** Asks for 200 points for a new customer of the tenant. */
export async function aGoodwillRequest(db: Db, tenantId: TenantId): Promise<GoodwillId> {
  const requestedBy = await aUser(db, { role: 'client' });
  const walletId = await aWallet(db, { tenantId });
  const asked = { tenantId, walletId, requestedBy, points: 200, reason: 'A cold coffee.' };
  return db.transaction((tx) => goodwill.insert(tx, asked));
}
