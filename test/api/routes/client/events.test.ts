import { describe, expect, it } from 'vitest';
import { aCredit, aTenant, aWallet, postByHand } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { nextPath } from '../../../support/http/app.ts';
import { anEndpoint, untilSettled } from '../../../support/http/endpoints.ts';

const app = await useApp();
const { db } = app;
type Listed = { id: string; type: string; timestamp: string; data: { points: number } }[];

describe('GET …/events', () => {
  it('200 oldest first, by pages and after one of them; 400 for an unknown one', async () => {
    const { token, userId } = await app.signIn({ role: 'client' });
    const tenantId = await aTenant(db, { ownerId: userId });
    const walletId = await aWallet(db, { tenantId });
    const at = `/api/v1/client/tenants/${tenantId}/events`;
    expect((await app.call({ path: at, token })).body).toEqual([]);
    await anEndpoint(db, tenantId);
    for (const points of [1, 2, 3]) {
      await db.transaction((tx) => postByHand(tx, [aCredit(walletId, points)]));
    }
    await untilSettled(app.db);
    const first = await app.call({ path: `${at}?limit=2`, token });
    const second = await app.call({ path: nextPath(first) ?? '', token });
    const all = [...first.json<Listed>(), ...second.json<Listed>()];
    expect(all.map(({ data }) => data.points)).toEqual([1, 2, 3]);
    expect(Object.keys(all[0] ?? {})).toEqual(['id', 'type', 'timestamp', 'data']);
    const after = await app.call({ path: `${at}?after=${all[1]?.id}`, token });
    expect(after.body).toEqual([all[2]]);
    expect(await app.call({ path: `${at}?after=${userId}`, token })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ path: 'after', code: 'invalid_value' }] },
    });
  });
});
