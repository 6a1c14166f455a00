import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AlphaSimulator, startAlpha } from '../../../../sandbox/providers/alpha/simulator.ts';
import { startReceiver } from './receiver.ts';

let dir: string;
let stateFile: string;
const stops: (() => Promise<void>)[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sandbox-alpha-'));
  stateFile = join(dir, 'alpha.jsonl');
});

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  rmSync(dir, { recursive: true, force: true });
});

async function start(webhookUrl = 'http://127.0.0.1:9/nobody'): Promise<AlphaSimulator> {
  const options = { port: 0, appId: 'app', appSecret: 'secret', signatureKey: 'key', seed: 5 };
  const alpha = await startAlpha({ ...options, webhookUrl, stateFile, minuteMs: 3_600_000 });
  stops.push(alpha.stop);
  return alpha;
}

async function read(alpha: AlphaSimulator, path: string, token: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${alpha.url}${path}`, { headers })).json();
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
  const says = async (of: AlphaSimulator) =>
    Promise.all(paths.map((path) => read(of, path, accessToken)));
  return { merchantId, payment, says };
}

describe('the state file', () => {
  it('restores merchants, customers, merges, tokens and payments', async () => {
    const before = await start();
    const { says } = await populate(before);
    const said = await says(before);
    expect(JSON.stringify(said)).not.toContain('errors');

    // The first simulator is not stopped, like a killed process that cannot save anything.
    const after = await start();
    expect(await says(after)).toEqual(said);
    const third = await start();
    expect(await says(third)).toEqual(said);
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
    const before = await start();
    await populate(before);
    const lines = readFileSync(stateFile, 'utf8').split('\n');
    writeFileSync(stateFile, lines.toSpliced(1, 1, '{"changes":').join('\n'));
    await expect(start()).rejects.toThrow('line 2. Start over with: npm start -- --fresh');
  });

  it('is readable only by its owner, since it contains tokens', async () => {
    await populate(await start());
    expect(statSync(stateFile).mode & 0o777).toBe(0o600);
  });

  it('drops the oldest delivered events', async () => {
    const receiver = await startReceiver();
    stops.push(receiver.stop);
    const alpha = await start(receiver.url);
    const merchantId = alpha.addMerchant({ name: 'One' }).id;
    alpha.issueToken(merchantId);
    for (let n = 0; n < 1100; n++) alpha.ring({ merchantId, amount: n, capture: 'at-once' });
    await alpha.idle();
    await start(receiver.url);
    expect(receiver.received).toHaveLength(1100);
    expect(readFileSync(stateFile, 'utf8').match(/"kind":"event"/g)).toHaveLength(1000);
    expect(readFileSync(stateFile, 'utf8').match(/"kind":"payment"/g)).toHaveLength(1100);
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
    stops.push(receiver.stop);
    const after = await start(receiver.url);
    await after.idle();
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.headers).toMatchObject({
      'alpha-retry-number': '1',
      'alpha-retry-reason': 'other_error',
    });
    const later = await start(receiver.url);
    await later.idle();
    expect(receiver.received).toHaveLength(1);
  });
});
