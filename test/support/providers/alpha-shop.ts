import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach } from 'vitest';
import type { Db } from '../../../db/connection.ts';
import type { TenantId } from '../../../domain/ids.ts';
import type { AlphaSimulator } from '../../../sandbox/providers/alpha/simulator.ts';
import { anAlphaConnection, aTenant, required } from '../factories.ts';
import { startPolledAlpha } from './polled-shop.ts';

export type AlphaShop = { tenantId: TenantId; merchantId: string };

/** Starts a simulator of alpha for each test, and connects a tenant to a merchant of it. */
export function useAlphaShop(db: Db) {
  let started: { simulator: AlphaSimulator; shop: AlphaShop } | undefined;
  const now = () => required(started);

  /** Creates a tenant that is connected to a merchant of the simulator. */
  async function aShop(simulator: AlphaSimulator = now().simulator): Promise<AlphaShop> {
    const merchantId = `M-${randomUUID()}`;
    simulator.addMerchant({ id: merchantId, name: 'Shop' });
    const { accessToken } = simulator.issueToken(merchantId);
    const tenantId = await aTenant(db);
    await anAlphaConnection(db, { tenantId, merchantId, accessToken });
    return { tenantId, merchantId };
  }

  beforeEach(async () => {
    const simulator = await startPolledAlpha();
    started = { simulator, shop: await aShop(simulator) };
  });
  afterEach(() => now().simulator.stop());

  return {
    get simulator() {
      return now().simulator;
    },
    get shop() {
      return now().shop;
    },
    aShop: () => aShop(),
    aCustomer: (email: string, { merchantId }: AlphaShop = now().shop) =>
      now().simulator.addCustomer({ merchantId, email }).id,
    /** The addresses that were asked for, in order. */
    asked: () =>
      now()
        .simulator.journal()
        .flatMap((entry) => (entry.kind === 'request' ? [entry.url] : [])),
    failAt: (customerId: string, status: number, retryAfterSeconds?: number) => {
      const fault = { path: `/v2/customers/${customerId}`, status, code: 'ORDERED' };
      now().simulator.fail(
        retryAfterSeconds === undefined ? fault : { ...fault, retryAfterSeconds },
      );
    },
  };
}
