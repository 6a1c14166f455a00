import type { Db } from '../db/connection.ts';
import { newId } from '../db/new-id.ts';
import * as endpoints from '../db/outgoing/endpoints.ts';
import { EndpointId, TenantId, WalletId } from '../domain/ids.ts';
import { createSealer, createSubkeys } from '../gateways/crypto/sealer.ts';
import { bindingOfSecret } from '../gateways/webhooks/secret-binding.ts';
import { newSecret } from '../gateways/webhooks/signature.ts';
import { creditByHand } from './adjustments.ts';
import { KEYS } from './settings.ts';

/** A shop whose events are delivered: a wallet, in which something happens, and endpoints. */
export type TellingShop = { tenantId: TenantId; walletId: WalletId; paths: string[] };

/** Written one by one, they would be written more slowly than they are delivered. */
const TOGETHER = 500;
const sealer = createSealer(createSubkeys(KEYS, 'webhook secrets'));

/** Opens shops with so many endpoints each, and returns them with the secret of each path. */
export async function openShops(
  db: Db,
  { count, endpointsEach, url }: { count: number; endpointsEach: number; url: string },
): Promise<{ shops: TellingShop[]; secrets: Map<string, string> }> {
  const secrets = new Map<string, string>();
  const shops: TellingShop[] = [];
  for (let nth = 0; nth < count; nth++) {
    const shop = await openShop(db);
    for (let each = 0; each < endpointsEach; each++) {
      const id = EndpointId.parse(newId());
      const path = `/${id}`;
      const secret = newSecret();
      const sealed = sealer.seal(secret, bindingOfSecret(id));
      const endpoint = { id, tenantId: shop.tenantId, url: `${url}${path}`, types: null };
      await db.transaction((tx) => endpoints.create(tx, endpoint, sealed));
      secrets.set(path, secret);
      shop.paths.push(path);
    }
    shops.push(shop);
  }
  return { shops, secrets };
}

async function openShop(db: Db): Promise<TellingShop> {
  const { rows } = await db.raw<{ rows: { tenantId: string; walletId: string }[] }>(
    `with tenant as (insert into tenants (name, country) values ('Telling', 'DE') returning id)
     insert into wallets (user_id, tenant_id)
     select (select id from users limit 1), id from tenant
     returning tenant_id, id as wallet_id`,
  );
  const [row] = rows;
  return {
    tenantId: TenantId.parse(row?.tenantId),
    walletId: WalletId.parse(row?.walletId),
    paths: [],
  };
}

/** Has so many events happen in each shop, many of them in a transaction. */
export async function happen(db: Db, shops: readonly TellingShop[], events: number): Promise<void> {
  const all = Array.from({ length: events }, () =>
    shops.map(({ walletId }) => ({ walletId, points: 1 })),
  ).flat();
  for (let next = 0; next < all.length; next += TOGETHER) {
    await creditByHand(db, all.slice(next, next + TOGETHER));
  }
}

/** Counts the deliveries to these paths that have been made. */
export async function countDelivered(db: Db, paths: readonly string[]): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `select count(*) from webhook_deliveries
     where status = 'delivered' and endpoint_id = any(:ids::uuid[])`,
    { ids: paths.map((path) => path.slice(1)) },
  );
  return rows[0]?.count ?? 0;
}

/** Deletes the endpoints, so that the next events are for others. */
export async function closeShops(db: Db, shops: readonly TellingShop[]): Promise<void> {
  await db('webhook_endpoints')
    .whereIn(
      'tenantId',
      shops.map(({ tenantId }) => tenantId),
    )
    .update({ deletedAt: db.fn.now() });
}
