import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BetaOptions } from '../../../../sandbox/providers/beta/options.ts';
import type { BetaSimulator } from '../../../../sandbox/providers/beta/simulator.ts';
import { startReceiver } from '../alpha/receiver.ts';
import { get, post, startApp } from './client.ts';

let dir: string;
let stateFile: string;
const stops: (() => Promise<void>)[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sandbox-beta-'));
  stateFile = join(dir, 'beta.jsonl');
});

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  rmSync(dir, { recursive: true, force: true });
});

async function start(options: Partial<BetaOptions> = {}): Promise<BetaSimulator> {
  const beta = await startApp({ stateFile, minuteMs: 3_600_000, ...options });
  stops.push(beta.stop);
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
  const says = async (of: BetaSimulator) =>
    Promise.all(
      paths.map(async (path) => {
        const answer = await get(of, path, body.access_token);
        expect([path, answer.status]).toEqual([path, 200]);
        return answer.body;
      }),
    );
  return { merchantId, refreshToken: body.refresh_token, says };
}

describe('the state file', () => {
  it('restores merchants, customers, orders, payments and tokens', async () => {
    const before = await start();
    const { says, refreshToken } = await populate(before);
    const said = await says(before);

    // The first simulator is not stopped, like a killed process that cannot save anything.
    const after = await start();
    expect(await says(after)).toEqual(said);
    const third = await start();
    expect(await says(third)).toEqual(said);
    const renewal = { client_id: 'APP', refresh_token: refreshToken };
    expect((await post(third, '/oauth/v2/refresh', renewal)).status).toBe(200);
    const fourth = await start();
    expect((await post(fourth, '/oauth/v2/refresh', renewal)).status).toBe(401);
  });

  it('continues the sequence of ids, so that no id is used twice', async () => {
    const before = await start();
    const { merchantId } = await populate(before);
    const after = await start();
    expect(after.addMerchant({ name: 'Two' }).id).not.toBe(merchantId);
  });

  it('drops an unfinished last line, and keeps the lines before it', async () => {
    const before = await start();
    const { says } = await populate(before);
    const said = await says(before);
    const whole = readFileSync(stateFile, 'utf8');
    writeFileSync(stateFile, `${whole}{"changes":[{"kind":"merchant","value":{"id":"HALF`);
    const after = await start();
    expect(await says(after)).toEqual(said);
    expect(readFileSync(stateFile, 'utf8')).not.toContain('HALF');
  });

  it('throws an error that says how to start over when another line is damaged', async () => {
    await populate(await start());
    const lines = readFileSync(stateFile, 'utf8').split('\n');
    writeFileSync(stateFile, lines.toSpliced(1, 1, '{"changes":').join('\n'));
    await expect(start()).rejects.toThrow('line 2. Start over with: npm start -- --fresh');
  });

  it('is readable only by its owner, since it contains tokens', async () => {
    await populate(await start());
    expect(statSync(stateFile).mode & 0o777).toBe(0o600);
  });

  it('drops the oldest delivered messages', async () => {
    const receiver = await startReceiver();
    stops.push(receiver.stop);
    const beta = await start({ webhookUrl: receiver.url });
    const merchantId = beta.addMerchant({ name: 'One' }).id;
    beta.issueToken(merchantId);
    for (let n = 0; n < 1100; n++) beta.ring({ merchantId, amount: n });
    await beta.idle();
    await start({ webhookUrl: receiver.url });
    expect(receiver.received).toHaveLength(1100);
    expect(readFileSync(stateFile, 'utf8').match(/"kind":"message"/g)).toHaveLength(1000);
    expect(readFileSync(stateFile, 'utf8').match(/"kind":"payment"/g)).toHaveLength(1100);
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
    stops.push(receiver.stop);
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
