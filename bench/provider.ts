import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Db } from '../db/connection.ts';
import { TenantId } from '../domain/ids.ts';
import type { Sealed } from '../domain/sealed.ts';
import { createSealer } from '../gateways/crypto/sealer.ts';
import { listenOnLoopback } from '../sandbox/processes/listen.ts';
import { type AlphaSimulator, startAlpha } from '../sandbox/providers/alpha/simulator.ts';
import { customerIdOf, emailOf, merchantOf, TENANTS, WALLETS } from './sales.ts';
import { KEYS, SIGNATURE_KEY } from './settings.ts';
import type { Testbed } from './testbed.ts';

/** Starts the simulated provider in this process, which is not counted. */
export async function startProvider(testbed: Testbed): Promise<AlphaSimulator> {
  const alpha = await startAlpha({
    port: 0,
    appId: 'app',
    appSecret: 'secret',
    signatureKey: SIGNATURE_KEY,
    webhookUrl: 'http://127.0.0.1:9/nobody',
  });
  testbed.onClose(() => alpha.stop());
  return alpha;
}

/** Returns the address at which a provider answers so much later, and no slower. */
export async function delayed(testbed: Testbed, origin: string, byMs: number): Promise<string> {
  const listener = await listenOnLoopback(0);
  testbed.onClose(() => listener.stop());
  listener.answerWith(async (request, response) => {
    await sleep(byMs);
    const { authorization = '' } = request.headers;
    const answer = await fetch(new URL(request.url ?? '', origin), { headers: { authorization } });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(await answer.text());
  });
  return listener.url;
}

const Shop = z.object({ tenantId: TenantId, merchantId: z.string() });
type Shop = z.infer<typeof Shop>;

/** Lists the first connected shops. */
export async function listShops(db: Db, limit: number): Promise<Shop[]> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    'select tenant_id, merchant_id from pos_connections order by merchant_id limit :limit',
    { limit },
  );
  return z.array(Shop).parse(rows);
}

const sealer = createSealer(KEYS);

/** Makes a shop a merchant of the provider, and returns its token as the service keeps it. */
export function admit(alpha: AlphaSimulator, { tenantId, merchantId }: Shop): Sealed {
  alpha.addMerchant({ id: merchantId, name: merchantId, currency: 'EUR' });
  const { accessToken } = alpha.issueToken(merchantId);
  return sealer.seal(accessToken, { tenantId, provider: 'alpha', field: 'access_token' });
}

/** Lets all shops ask the provider for their customers, which are all consumers. */
export async function admitAll(db: Db, alpha: AlphaSimulator): Promise<void> {
  for (const shop of await listShops(db, TENANTS)) {
    await db.raw(
      `update pos_connections set sealed_access_token = :token where merchant_id = :merchantId`,
      { token: admit(alpha, shop), merchantId: shop.merchantId },
    );
  }
  for (let consumer = 0; consumer < WALLETS; consumer++) {
    const email = emailOf(consumer);
    alpha.addCustomer({ id: customerIdOf(consumer), merchantId: merchantOf(consumer), email });
  }
}
