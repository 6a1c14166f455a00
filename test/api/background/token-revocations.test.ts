import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createRevocations } from '../../../api/background/token-revocations.ts';
import * as oauthAttempts from '../../../db/connections/oauth-attempts.ts';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import { AttemptId } from '../../../domain/ids.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';
import { anAlphaConnection, required, testSealer } from '../../support/factories.ts';
import { useConnecting } from '../../support/fixtures.ts';
import { testProviders } from '../../support/providers.ts';

const service = await useConnecting();
const { db } = service.app;

describe('the revocation of a disconnected account', () => {
  const log: string[] = [];
  const aProcess = () =>
    createRevocations({
      db,
      providers: testProviders({ oauth: service.oauth }),
      log: createLogger({ level: 'info', service: 'test' }, { write: (line) => log.push(line) }),
    });
  /** Revokes what is due, as a process does that has just started. */
  async function resume(): Promise<void> {
    const revocations = aProcess();
    await revocations.resume();
    await expect.poll(() => revocations.waiting()).toBe(0);
    await revocations.close();
  }
  const asks = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${service.alpha.url}/v2/locations`, { headers })).status;
  };
  const rowOf = (id: string) =>
    db('pos_connections').where({ id }).first('sealedAccessToken', 'sealedRefreshToken');
  const isDue = (id: string) => db('pos_connections').where({ id }).update({ revokeAfter: null });
  const forgotten = { sealedAccessToken: null, sealedRefreshToken: null };

  async function aDisconnected() {
    const { id: merchantId } = service.alpha.addMerchant({ name: 'Café' });
    const { accessToken } = service.alpha.issueToken(merchantId);
    const owner = await service.aMerchant();
    await anAlphaConnection(db, { tenantId: owner.tenantId, merchantId, accessToken });
    const [row] = await posConnections.listActive(db, 'alpha', [owner.tenantId]);
    const { id, tenantId } = required(row);
    const found = required(await posConnections.disconnect(db, tenantId, id));
    return { account: found.account, accessToken, owner };
  }

  it('ends the tokens at alpha, and removes ours', async () => {
    const { account, accessToken } = await aDisconnected();
    expect(await asks(accessToken)).toBe(200);
    const revocations = aProcess();
    revocations.revokeLater(account);
    await revocations.close();
    expect(await asks(accessToken)).toBe(401);
    expect(await rowOf(account.id)).toEqual(forgotten);
  });

  it('is made up for by the next process when the first one was killed', async () => {
    const { account, accessToken } = await aDisconnected();
    await resume();
    expect(await asks(accessToken)).toBe(401);
    expect(await rowOf(account.id)).toEqual(forgotten);
  });

  it('leaves an account alone that another tenant uses, and removes our tokens', async () => {
    const { account, accessToken } = await aDisconnected();
    const { tenantId } = await service.aMerchant();
    await anAlphaConnection(db, { tenantId, merchantId: account.merchantId, accessToken });
    await resume();
    expect(await asks(accessToken)).toBe(200);
    expect(await rowOf(account.id)).toEqual(forgotten);
  });

  it('waits while a merchant is connecting', async () => {
    const { account, accessToken, owner } = await aDisconnected();
    const { tenantId } = owner;
    const id = AttemptId.parse(randomUUID());
    const sealedCode = testSealer.seal('c', { tenantId, provider: 'alpha', field: 'f' });
    await db.transaction((tx) =>
      oauthAttempts.insert(tx, {
        id,
        tenantId,
        provider: 'alpha',
        claimedMerchantId: null,
        sealedCode,
        startedBy: { userId: owner.userId, correlationId: 'the-request', requestId: randomUUID() },
      }),
    );
    await resume();
    expect(await asks(accessToken)).toBe(200);
    await oauthAttempts.settle(db, id, { otherwise: 'exchange_failed' });
    await resume();
    expect(await asks(accessToken)).toBe(200);
    await isDue(account.id);
    await resume();
    expect(await asks(accessToken)).toBe(401);
  });

  it('is tried again after a failure, later each time, and given up after a week', async () => {
    const { account } = await aDisconnected();
    const { id } = account;
    await db('pos_connections').where({ id }).update({ merchantId: 'NOBODY00' });
    const waits: number[] = [];
    for (const hours of [0, 2, 24]) {
      const updatedAt = new Date(Date.now() - hours * 3_600_000);
      await db('pos_connections').where({ id }).update({ updatedAt, revokeAfter: null });
      await resume();
      const row = await db('pos_connections').where({ id }).first('revokeAfter');
      waits.push(Math.round((Number(row.revokeAfter) - Date.now()) / 60_000));
    }
    expect(waits).toEqual([1, 120, 360]);
    expect(log.join('\n')).toContain('A disconnected account keeps its token for now');
    expect(await rowOf(id)).toMatchObject({ sealedAccessToken: expect.any(String) });

    const updatedAt = new Date(Date.now() - 169 * 3_600_000);
    await db('pos_connections').where({ id }).update({ updatedAt, revokeAfter: null });
    await resume();
    expect(await rowOf(id)).toEqual(forgotten);
    expect(log.at(-1)).toContain('"isGivenUp":true');
  });
});
