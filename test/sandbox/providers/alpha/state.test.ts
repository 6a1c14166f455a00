import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type {
  AlphaOptions,
  AlphaSimulator,
} from '../../../../sandbox/providers/alpha/simulator.ts';
import { useFolder, useStops } from '../../fixtures.ts';
import { startReceiver } from '../receiver.ts';
import { testStateFile } from '../state-file.ts';
import { get, startApp } from './client.ts';

const folder = useFolder('sandbox-alpha-');
const stopAfterwards = useStops();
const stateFile = () => join(folder.path, 'alpha.jsonl');

async function start(options: Partial<AlphaOptions> = {}): Promise<AlphaSimulator> {
  const alpha = await startApp({ stateFile: stateFile(), minuteMs: 3_600_000, ...options });
  stopAfterwards(alpha.stop);
  return alpha;
}

/** Creates one of everything, and returns a function that reads it from the API. */
async function populate(alpha: AlphaSimulator) {
  const merchantId = alpha.addMerchant({ name: 'One' }).id;
  const { accessToken } = alpha.issueToken(merchantId);
  const first = alpha.addCustomer({ merchantId, email: 'a@example.com' });
  const second = alpha.addCustomer({ merchantId, email: 'b@example.com' });
  alpha.mergeCustomers(first.id, second.id);
  const sale = { merchantId, amount: 100, customerId: first.id };
  const payment = alpha.ring({ ...sale, capture: 'later' });
  alpha.capture(payment.id);
  alpha.refund(payment.id, 40);
  const paths = ['/v2/locations', `/v2/customers/${first.id}`, `/v2/payments/${payment.id}`];
  const read = (from: AlphaSimulator) =>
    Promise.all(
      paths.map(async (path) => {
        const { status, body } = await get(from, path, accessToken);
        expect([path, status]).toEqual([path, 200]);
        return body;
      }),
    );
  return { merchantId, read };
}

describe('the state file', () => {
  it('restores merchants, customers, merges, tokens and payments', async () => {
    const before = await start();
    const { read } = await populate(before);
    const expected = await read(before);

    // The first simulator is not stopped, like a killed process that cannot save anything.
    const after = await start();
    expect(await read(after)).toEqual(expected);
    const third = await start();
    expect(await read(third)).toEqual(expected);
  });

  testStateFile({ stateFile, start, populate });

  it('drops the oldest delivered events', async () => {
    const receiver = await startReceiver();
    stopAfterwards(receiver.stop);
    const alpha = await start({ webhookUrl: receiver.url });
    const merchantId = alpha.addMerchant({ name: 'One' }).id;
    alpha.issueToken(merchantId);
    for (let n = 0; n < 1100; n++) alpha.ring({ merchantId, amount: n, capture: 'at-once' });
    await alpha.idle();
    await start({ webhookUrl: receiver.url });
    expect(receiver.received).toHaveLength(1100);
    expect(readFileSync(stateFile(), 'utf8').match(/"kind":"event"/g)).toHaveLength(1000);
    expect(readFileSync(stateFile(), 'utf8').match(/"kind":"payment"/g)).toHaveLength(1100);
  });

  it('undelivered events are sent unchanged, once, by the next start', async () => {
    const before = await start();
    const merchantId = before.addMerchant({ name: 'One' }).id;
    before.issueToken(merchantId);
    before.ring({ merchantId, amount: 100, capture: 'at-once' });
    // Stopped after the first attempt, which found no receiver; its retry is an hour away.
    await expect.poll(() => before.journal()).toMatchObject([{ outcome: 'unreachable' }]);
    await before.stop();

    const receiver = await startReceiver();
    stopAfterwards(receiver.stop);
    const after = await start({ webhookUrl: receiver.url });
    await after.idle();
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.headers).toMatchObject({
      'alpha-retry-number': '1',
      'alpha-retry-reason': 'other_error',
    });
    const later = await start({ webhookUrl: receiver.url });
    await later.idle();
    expect(receiver.received).toHaveLength(1);
  });
});
