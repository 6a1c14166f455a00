import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { revokeAuthorization } from '../../../activities/connections/revoke-authorization.ts';
import { doWork } from '../../../activities/due-work/worker.ts';
import * as oauthAttempts from '../../../db/connections/oauth-attempts.ts';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import { AttemptId } from '../../../domain/ids.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';
import { anAlphaConnection, required, testSealer } from '../../support/factories.ts';
import { useConnecting } from '../../support/fixtures.ts';
import { testProviders } from '../../support/providers/providers.ts';

const service = await useConnecting();
const { db } = service.app;

describe('the revocation of an account that was left', () => {
  const log: string[] = [];
  const deps = {
    db,
    providers: testProviders({ oauth: service.oauth }),
    log: createLogger({ level: 'info', service: 'test' }, { write: (line) => log.push(line) }),
  };
  /** Revokes what is due. */
  const revoke = () => doWork(deps, revokeAuthorization(deps));
  const asks = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${service.alpha.url}/v2/locations`, { headers })).status;
  };
  const isLeft = async ({ merchantId }: { merchantId: string }) =>
    (await db('account_tenures').where({ merchantId, toRevoke: true })).length > 0;
  const isDue = (id: string) =>
    db('due_work').where({ subjectId: id }).update({ dueAt: db.fn.now() });

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
    const row = await db('pos_connections').where({ id: account.id }).first();
    expect(row).toMatchObject({ sealedAccessToken: null, sealedRefreshToken: null });
    expect(await asks(accessToken)).toBe(200);
    expect(await revoke()).toBe(1);
    expect(await asks(accessToken)).toBe(401);
    expect(await isLeft(account)).toBe(false);
  });

  it('ends those of an account that another one has replaced, at once or before', async () => {
    const { account, accessToken, owner } = await aDisconnected();
    const { tenantId } = owner;
    const tokens = [accessToken];
    for (const name of ['Bakery', 'Bar']) {
      const { id: merchantId } = service.alpha.addMerchant({ name });
      const { accessToken: token } = service.alpha.issueToken(merchantId);
      await anAlphaConnection(db, { tenantId, merchantId, accessToken: token });
      tokens.push(token);
    }
    await isDue(account.id);
    expect(await revoke()).toBe(1);
    expect(await Promise.all(tokens.map(asks))).toEqual([401, 401, 200]);
  });

  it('leaves an account alone that another tenant uses, and removes our tokens', async () => {
    const { account, accessToken } = await aDisconnected();
    const { tenantId } = await service.aMerchant();
    await anAlphaConnection(db, { tenantId, merchantId: account.merchantId, accessToken });
    await revoke();
    expect(await asks(accessToken)).toBe(200);
    expect(await isLeft(account)).toBe(false);
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
    await revoke();
    expect(await asks(accessToken)).toBe(200);
    await oauthAttempts.settle(db, id, { otherwise: { error: 'exchange_failed' } });
    await revoke();
    expect(await asks(accessToken)).toBe(200);
    await isDue(account.id);
    await revoke();
    expect(await asks(accessToken)).toBe(401);
  });

  it('is tried again after a failure, later each time, and given up after a week', async () => {
    const { account } = await aDisconnected();
    const { id } = account;
    const nobodys = { merchantId: 'NOBODY00' };
    await db('account_tenures').where({ merchantId: account.merchantId }).update(nobodys);
    for (const attempts of [0, 1, 2]) {
      await isDue(id);
      await revoke();
      const row = await db('due_work').where({ subjectId: id }).first();
      const minutes = Math.round((Number(row.dueAt) - Date.now()) / 60_000);
      expect({ attempts: row.attempts, minutes }).toEqual({
        attempts: attempts + 1,
        minutes: 2 ** attempts,
      });
    }
    expect(log.join('\n')).toContain('stays authorized at its provider for now');
    expect(await isLeft(nobodys)).toBe(true);

    const endedAt = new Date(Date.now() - 169 * 3_600_000);
    await db('account_tenures').where(nobodys).update({ earnsFrom: endedAt, endedAt });
    await isDue(id);
    await revoke();
    expect(await isLeft(nobodys)).toBe(false);
    expect(log.at(-1)).toContain('"isGivenUp":true');
  });
});
