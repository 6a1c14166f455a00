import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCallShares } from '../../../../db/call-shares.ts';
import { createBeta } from '../../../../gateways/providers/beta/client.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { startMeter } from '../../../support/providers/call-meter.ts';

const { db } = await useDatabase();

const CALLS_EACH = 12;

function aProcess(apiOrigin: string, shares = createCallShares(db)) {
  return createBeta({ environment: 'sandbox', region: 'na', apiOrigin, shares });
}

describe('what beta allows', () => {
  it.each([1, 2, 4])(
    'holds for %i processes together',
    async (count) => {
      const meter = await startMeter();
      const tokens = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}-${randomUUID()}`);
      const processes = Array.from({ length: count }, () => aProcess(meter.url));
      const calls = processes.flatMap((beta) =>
        tokens.flatMap((token) =>
          Array.from({ length: CALLS_EACH }, () => beta.findMerchant(token, 'M1')),
        ),
      );
      const found = await Promise.all(calls);
      await meter.close();
      expect(found).toHaveLength(count * tokens.length * CALLS_EACH);
      const { atOnce, perSecond, ofToken } = meter.most;
      expect(atOnce).toBeLessThanOrEqual(10);
      expect(perSecond).toBeLessThanOrEqual(50);
      expect(ofToken.atOnce).toBeLessThanOrEqual(5);
      expect(ofToken.perSecond).toBeLessThanOrEqual(16);
    },
    120_000,
  );

  it('is not called when nobody knows whether it may be', async () => {
    const meter = await startMeter();
    const away = { leaseMs: 15_000, take: () => Promise.reject(new Error('Postgres is away.')) };
    const call = aProcess(meter.url, away).findMerchant('token', 'M1');
    await expect(call).rejects.toMatchObject({ status: null, isTransient: true });
    await meter.close();
    expect(meter.most.atOnce).toBe(0);
  });

  it('is given back when nothing is called any more', async () => {
    const meter = await startMeter();
    await aProcess(meter.url).findMerchant(`token-${randomUUID()}`, 'M1');
    await expect.poll(() => db('call_shares').pluck('units'), { timeout: 20_000 }).toEqual([]);
    await meter.close();
  });
});
