import { beforeEach, expect, it } from 'vitest';
import type { IssuedRedemption } from '../../../../api/background/redemption-batches.ts';
import type { TenantId } from '../../../../domain/ids.ts';
import { aTenant, aUser, aWallet } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { aRedemption, type Issued } from '../../../support/points/redemptions.ts';

const followed: IssuedRedemption[] = [];
const app = await useApp({
  orchestrator: { followRedemptionLater: (issued) => void followed.push(issued) },
});
const { db } = app;

let tenantId: TenantId;
let token: string;
let issued: Issued;
beforeEach(async () => {
  followed.length = 0;
  tenantId = await aTenant(db);
  token = (await app.signIn({ role: 'client', member: tenantId })).token;
  const userId = await aUser(db, { email: `${crypto.randomUUID()}@example.com` });
  issued = await aRedemption(db, {
    walletId: await aWallet(db, { tenantId, userId, balance: 50 }),
  });
});

const mailed = (ago: string) =>
  db('redemptions')
    .where({ id: issued.id })
    .update({ codeMailedAt: db.raw('now() - ?::interval', [ago]) });
const resend = (by = token) =>
  app.call({
    method: 'POST',
    path: `/api/v1/client/tenants/${tenantId}/redemptions/${issued.id}/mail`,
    token: by,
  });
const refused = (code: string) => ({ status: 422, body: { issues: [{ code }] } });

it('202: has a run mail the code once more, three times, and says nothing of it', async () => {
  expect(await resend()).toMatchObject(refused('mail_underway'));
  for (let time = 1; time <= 3; time++) {
    await mailed('10 seconds');
    expect(await resend()).toMatchObject(refused('mailed_lately'));
    await mailed('2 minutes');
    const answer = await resend();
    expect(answer).toMatchObject({ status: 202 });
    expect(answer.body).toEqual({ ok: true });
    expect(followed.at(-1)).toMatchObject({ id: issued.id, tenantId, resent: time });
  }
  await mailed('2 minutes');
  expect(await resend()).toMatchObject(refused('mailed_often'));
  expect(followed).toHaveLength(3);
  const entries = await db('audit_log').where({ tenantId, action: 'code.mail' }).orderBy('seq');
  expect(entries.map(({ after }) => after)).toEqual(
    [1, 2, 3].map((resent) => ({ redemptionId: issued.id, resent })),
  );
});

it('422 for a closed code, and without a verified address', async () => {
  await mailed('2 minutes');
  await db('users').where({ id: issued.userId }).update({ emailVerified: false });
  expect(await resend()).toMatchObject(refused('no_verified_email'));
  await db('wallets').where({ id: issued.walletId }).update({ status: 'frozen' });
  expect(await resend()).toMatchObject(refused('code_cancelled'));
});

it('403 for a merchant of another tenant, and 404 for a code of another', async () => {
  const other = await app.signIn({ role: 'client', member: await aTenant(db) });
  expect((await resend(other.token)).body).toMatchObject({ code: 'TENANT_FORBIDDEN' });
  issued = await aRedemption(db);
  expect(await resend()).toMatchObject({ status: 404 });
});
