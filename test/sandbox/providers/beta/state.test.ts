import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BetaOptions } from '../../../../sandbox/providers/beta/options.ts';
import type { BetaSimulator } from '../../../../sandbox/providers/beta/simulator.ts';
import { useFolder, useStops } from '../../fixtures.ts';
import { startReceiver } from '../receiver.ts';
import { testStateFile } from '../state-file.ts';
import { get, post, startApp } from './client.ts';

const folder = useFolder('sandbox-beta-');
const stopAfterwards = useStops();
const stateFile = () => join(folder.path, 'beta.jsonl');

async function start(options: Partial<BetaOptions> = {}): Promise<BetaSimulator> {
  const beta = await startApp({ stateFile: stateFile(), minuteMs: 3_600_000, ...options });
  stopAfterwards(beta.stop);
  return beta;
}

/** Creates one of everything, and returns a function that reads it from the API. */
async function populate(beta: BetaSimulator) {
  const merchantId = beta.addMerchant({ name: 'One' }).id;
  const app = { client_id: 'APP', client_secret: 'shh', code: beta.newCode(merchantId) };
  const { body } = await post(beta, '/oauth/v2/token', app);
  const customer = beta.addCustomer({ merchantId, emails: ['a@example.com'], phones: ['123'] });
  const { id, orderId } = beta.ring({ merchantId, amount: 100, customerId: customer.id });
  beta.refund(id, 40);
  const voided = beta.ring({ merchantId, amount: 5 });
  beta.voidPayment(voided.id);
  const paths = [
    `/${merchantId}`,
    `/${merchantId}/payments/${id}?expand=refunds`,
    `/${merchantId}/payments/${voided.id}`,
    `/${merchantId}/orders/${orderId}?expand=customers,payments`,
    `/${merchantId}/customers/${customer.id}?expand=emailAddresses,phoneNumbers`,
  ];
  const read = (from: BetaSimulator) =>
    Promise.all(
      paths.map(async (path) => {
        const { status, body: found } = await get(from, path, body.access_token);
        expect([path, status]).toEqual([path, 200]);
        return found;
      }),
    );
  return { merchantId, refreshToken: body.refresh_token, read };
}

describe('the state file', () => {
  it('restores merchants, customers, orders, payments and tokens', async () => {
    const before = await start();
    const { read, refreshToken } = await populate(before);
    const expected = await read(before);

    // The first simulator is not stopped, like a killed process that cannot save anything.
    const after = await start();
    expect(await read(after)).toEqual(expected);
    const third = await start();
    expect(await read(third)).toEqual(expected);
    const renewal = { client_id: 'APP', refresh_token: refreshToken };
    expect((await post(third, '/oauth/v2/refresh', renewal)).status).toBe(200);
    const fourth = await start();
    expect((await post(fourth, '/oauth/v2/refresh', renewal)).status).toBe(401);
  });

  testStateFile({ stateFile, start, populate });

  it('drops the oldest delivered messages', async () => {
    const receiver = await startReceiver();
    stopAfterwards(receiver.stop);
    const beta = await start({ webhookUrl: receiver.url });
    const merchantId = beta.addMerchant({ name: 'One' }).id;
    beta.issueToken(merchantId);
    for (let n = 0; n < 1100; n++) beta.ring({ merchantId, amount: n });
    await beta.idle();
    await start({ webhookUrl: receiver.url });
    expect(receiver.received).toHaveLength(1100);
    expect(readFileSync(stateFile(), 'utf8').match(/"kind":"message"/g)).toHaveLength(1000);
    expect(readFileSync(stateFile(), 'utf8').match(/"kind":"payment"/g)).toHaveLength(1100);
  });

  it('undelivered messages are sent unchanged, once, by the next start', async () => {
    const before = await start({ retryMode: true });
    const merchantId = before.addMerchant({ name: 'One' }).id;
    before.issueToken(merchantId);
    before.setBatching({ windowMs: 0 });
    before.ring({ merchantId, amount: 100 });
    before.ring({ merchantId, amount: 200 });
    // Stopped after the first attempt, which found no receiver; its retry is an hour away.
    await expect.poll(() => before.journal()).toMatchObject([{ outcome: 'unreachable' }]);
    await before.stop();

    const receiver = await startReceiver();
    stopAfterwards(receiver.stop);
    const after = await start({ webhookUrl: receiver.url, retryMode: true });
    await after.idle();
    expect(receiver.received).toHaveLength(1);
    expect(JSON.parse(receiver.received[0]?.body ?? '').merchants[merchantId]).toHaveLength(4);
    expect(after.journal()).toMatchObject([{ attempt: 2, outcome: 'accepted' }]);
    const later = await start({ webhookUrl: receiver.url });
    await later.idle();
    expect(receiver.received).toHaveLength(1);
  });
});
