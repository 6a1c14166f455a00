import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BetaSimulator } from '../../../../sandbox/providers/beta/simulator.ts';
import { get, startConnected } from './client.ts';

let beta: BetaSimulator;
let bearer: string;
let elapsedMs: number;
let open: () => void;

/** Starts a simulator that holds back its responses until `open`. */
async function start(limits: NonNullable<Parameters<typeof startConnected>[0]>['limits']) {
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const options = { limits: limits ?? {}, elapsedMs: () => elapsedMs, beforeAnswer: () => opened };
  ({ beta, bearer } = await startConnected(options));
}

beforeEach(() => {
  elapsedMs = 0;
});

afterEach(() => beta.stop());

const ask = (token = bearer, merchantId = 'M1') => get(beta, `/${merchantId}`, token);

it("429 above 16 requests a second of one token, the real provider's limit", async () => {
  await start({ concurrent: 100, concurrentOverall: 100 });
  open();
  for (let n = 0; n < 16; n++) expect((await ask()).status).toBe(200);
  elapsedMs = 999;
  const refused = await ask();
  expect(refused.status).toBe(429);
  expect(refused.headers.get('X-RateLimit-tokenLimit')).toBe('16');
  expect(refused.headers.get('retry-after')).toBeNull();
  expect(beta.violations()).toMatchObject([{ limit: 'tokenLimit', who: 'M1' }]);
  elapsedMs = 1000;
  expect((await ask()).status).toBe(200);
  expect(beta.violations()).toHaveLength(1);
});

it('429 above the limit of requests a second over all tokens', async () => {
  await start({ perSecondOverall: 3 });
  open();
  beta.addMerchant({ id: 'M2', name: 'Two' });
  const other = beta.issueToken('M2').accessToken;
  expect((await ask()).status).toBe(200);
  expect((await ask(other, 'M2')).status).toBe(200);
  expect((await ask()).status).toBe(200);
  const refused = await ask(other, 'M2');
  expect(refused.headers.get('X-RateLimit-crossTokenLimit')).toBe('3');
  expect(beta.violations()).toMatchObject([{ limit: 'crossTokenLimit', who: 'M2' }]);
});

describe('concurrency', () => {
  it('429 above 5 of one token, with a longer wait after each early retry', async () => {
    await start({ perSecond: 1000, perSecondOverall: 1000 });
    const running = Array.from({ length: 5 }, () => ask());
    await expect.poll(() => beta.running()).toBe(5);
    const waits = async () => (await ask()).headers.get('retry-after');
    const sixth = await ask();
    expect(sixth.status).toBe(429);
    expect(sixth.headers.get('X-RateLimit-tokenConcurrentLimit')).toBe('5');
    expect(sixth.headers.get('retry-after')).toBe('1');

    open();
    for (const answer of running) expect((await answer).status).toBe(200);
    expect(beta.running()).toBe(0);
    elapsedMs = 500;
    expect([await waits(), await waits()]).toEqual(['2', '4']);
    elapsedMs = 4500;
    expect((await ask()).status).toBe(200);
    expect(beta.violations().map(({ limit }) => limit)).toEqual(
      Array.from({ length: 3 }, () => 'tokenConcurrentLimit'),
    );
  });

  it('429 above the limit over all tokens, without a wait for the token itself', async () => {
    await start({ concurrentOverall: 2 });
    beta.addMerchant({ id: 'M2', name: 'Two' });
    const other = beta.issueToken('M2').accessToken;
    const running = [ask(), ask(other, 'M2')];
    await expect.poll(() => beta.running()).toBe(2);
    const refused = await ask(other, 'M2');
    expect(refused.headers.get('X-RateLimit-crossTokenConcurrentLimit')).toBe('2');
    open();
    for (const answer of running) expect((await answer).status).toBe(200);
    elapsedMs = 1000;
    expect((await ask(other, 'M2')).status).toBe(200);
  });
});
