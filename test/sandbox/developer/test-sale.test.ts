import { randomUUID } from 'node:crypto';
import Router from '@koa/router';
import Koa from 'koa';
import { afterAll, describe, expect, it } from 'vitest';
import { byProvider } from '../../../domain/payment.ts';
import { addTestSales, TEST_SALES } from '../../../sandbox/developer/test-sale.ts';
import { openDirectory } from '../../../sandbox/identity/directory.ts';
import { PEOPLE } from '../../../sandbox/identity/people.ts';
import { listenOnLoopback } from '../../../sandbox/processes/listen.ts';
import { asSimulator } from '../../../sandbox/providers/alpha/index.ts';
import { anAlphaConnection, aTenant } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { startPolledAlpha } from '../../support/providers/polled-shop.ts';

const { db } = await useDatabase();
const alpha = await startPolledAlpha();
const router = new Router();
addTestSales(router, {
  db,
  people: openDirectory(PEOPLE),
  simulators: byProvider(() => asSimulator(alpha)),
});
const listener = await listenOnLoopback(0);
listener.answerWith(new Koa().use(router.routes()).callback());
afterAll(async () => {
  await listener.stop();
  await alpha.stop();
});

const tenantId = await aTenant(db);
const address = `${listener.url}${TEST_SALES}/${tenantId}`;
const ring = (sale: Record<string, string>) =>
  fetch(address, { method: 'POST', redirect: 'manual', body: new URLSearchParams(sale) });

describe('the test sales of a shop', () => {
  it('ask for a point of sale, then ring at its own account', async () => {
    expect(await (await fetch(address)).text()).toContain('Connect one in the portal first.');
    expect((await ring({ for: '', amount: '1' })).status).toBe(200);

    const merchantId = `M-${randomUUID()}`;
    alpha.addMerchant({ name: 'Somebody else’s' });
    alpha.addMerchant({ id: merchantId, name: 'Second Scoop' });
    await anAlphaConnection(db, { tenantId, merchantId });
    expect(await (await fetch(address)).text()).toContain('value="consumer">Ada Byron');
    for (const customer of ['consumer', '']) {
      const { status, headers } = await ring({ for: customer, amount: '12.50' });
      expect(status).toBe(303);
      expect(headers.get('location')).toMatch(/^\/sales\/alpha\/\w+/);
    }
    const { accessToken } = alpha.issueToken(merchantId);
    const listed = await fetch(`${alpha.url}/v2/payments`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    const { payments } = Object(await listed.json());
    expect(payments).toMatchObject([
      { amount_money: { amount: 1_250, currency: 'USD' } },
      { amount_money: { amount: 1_250, currency: 'USD' }, customer_id: expect.any(String) },
    ]);
  });
});
