import { describe, expect, it } from 'vitest';
import { aProgramme, aTenant, aWallet } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';

const app = await useApp();

describe('GET /consumer/wallets/:walletId/programme', () => {
  it('200 with what governs the wallet: the active version, or nothing', async () => {
    const { userId, token } = await app.signIn({ role: 'consumer' });
    const tenantId = await aTenant(app.db);
    const walletId = await aWallet(app.db, { userId, tenantId });
    const show = () => app.call({ path: `/api/v1/consumer/wallets/${walletId}/programme`, token });
    const none = { validityMonths: null, returnWindowDays: 0 };
    expect(await show()).toMatchObject({ status: 200, body: none });

    await aProgramme(app.db, tenantId, { validityMonths: 12 });
    await aProgramme(app.db, tenantId, { validityMonths: 24, returnWindowDays: 14 });
    expect((await show()).body).toEqual({ validityMonths: 24, returnWindowDays: 14 });

    const stranger = await app.signIn({ role: 'consumer' });
    const path = `/api/v1/consumer/wallets/${walletId}/programme`;
    expect((await app.call({ path, token: stranger.token })).status).toBe(404);
  });
});
