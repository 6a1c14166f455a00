import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { IssuedRedemption } from '../../../../api/background/redemption-batches.ts';
import * as wallets from '../../../../db/ledger/wallets.ts';
import type { TenantId, WalletId } from '../../../../domain/ids.ts';
import { occursIn, textOfTables } from '../../../support/database/table-texts.ts';
import { aRule, aTenant, aWallet } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import type { Answer, SignedIn } from '../../../support/http/app.ts';
import { balanceOf, testCodes } from '../../../support/points/redemptions.ts';

const followed: IssuedRedemption[] = [];
const app = await useApp({
  orchestrator: { followRedemptionLater: (issued) => followed.push(issued) },
});

let consumer: SignedIn;
let tenantId: TenantId;
let walletId: WalletId;
beforeEach(async () => {
  followed.length = 0;
  consumer = await app.signIn({ role: 'consumer' });
  tenantId = await aTenant(app.db);
  walletId = await aWallet(app.db, { balance: 1000, userId: consumer.userId, tenantId });
});

const ask = (step: 'preview' | 'confirm', body: unknown, headers: Record<string, string> = {}) =>
  app.call({
    method: 'POST',
    path: `/api/v1/consumer/wallets/${walletId}/redeem/${step}`,
    token: consumer.token,
    body,
    headers,
  });
const preview = (pointsToRedeem: unknown) => ask('preview', { pointsToRedeem });
const confirm = (pointsToRedeem: unknown, headers?: Record<string, string>) =>
  ask('confirm', { pointsToRedeem }, headers);
const codeOf = (answer: Answer): string => answer.json<{ redemptionCode: string }>().redemptionCode;
const issuedRows = () => app.db('redemptions').where({ walletId });

describe('POST /consumer/wallets/:walletId/redeem/confirm', () => {
  it('200 with a code for 15 minutes: debited, found by the code, followed by a run', async () => {
    await aRule(app.db, tenantId);
    const answer = await confirm(300, { 'x-correlation-id': 'a-request' });
    expect(answer.status).toBe(200);
    expect(codeOf(answer)).toMatch(/^[0-9A-F]{12}$/);
    const [row] = await issuedRows();
    expect(answer.body).toEqual({
      redemptionCode: codeOf(answer),
      expiresAt: row.expiresAt.toISOString(),
      redemptionId: row.id,
      points: 300,
      discountValueMinorUnits: 300,
      currency: null,
    });
    expect(row).toMatchObject({ status: 'issued', points: 300, tenantId, ruleVersion: 1 });
    expect(row.expiresAt.getTime() - row.createdAt.getTime()).toBe(900_000);
    expect(testCodes.hmacsOf(codeOf(answer))).toContainEqual(row.codeHmac);
    expect(await balanceOf(app.db, walletId)).toBe(700);
    expect(followed).toEqual([{ id: row.id, tenantId, correlationId: 'a-request' }]);
  });

  it('200 with the values of the preview, which itself changes nothing', async () => {
    await aRule(app.db, tenantId, { maxRedemptionPercentage: 32.3 });
    const quoted = await preview(323);
    expect(quoted).toMatchObject({ status: 200 });
    expect(quoted.body).toEqual({
      eligiblePoints: 323,
      discountValueMinorUnits: 323,
      currency: null,
      currentBalance: 1000,
      newBalance: 677,
      redeemable: { min: 1, max: 323 },
    });
    expect(await issuedRows()).toEqual([]);

    expect(await confirm(323)).toMatchObject({ status: 200 });
    expect(await issuedRows()).toMatchObject([{ points: 323, discountValueMinorUnits: 323 }]);
    expect(await balanceOf(app.db, walletId)).toBe(677);
  });

  it('one code and 49 × 422 for 50 at once that the balance covers once', async () => {
    await aRule(app.db, tenantId);
    const answers = await Promise.all(Array.from({ length: 50 }, () => confirm(600)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 422)]);
    const refused = answers.filter(({ status }) => status === 422);
    for (const { body } of refused) expect(body).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    expect(await issuedRows()).toHaveLength(1);
    expect(followed).toHaveLength(1);
    expect(await balanceOf(app.db, walletId)).toBe(400);
  });

  it('one code for three at once that each take the highest share of the balance', async () => {
    await aRule(app.db, tenantId, { maxRedemptionPercentage: 30 });
    const sent: Promise<Answer>[] = [];
    await app.owner.transaction(async (tx) => {
      await tx('wallets').where({ id: walletId }).forUpdate().select('id');
      for (let count = 0; count < 3; count++) sent.push(confirm(300));
      const waiting = () =>
        app
          .db('pg_stat_activity')
          .whereRaw(`datname = current_database() and wait_event_type = 'Lock'`)
          .select('pid');
      await expect.poll(waiting, { timeout: 10_000 }).toHaveLength(3);
    });
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 422, 422]);
    expect(await balanceOf(app.db, walletId)).toBe(700);
  });

  it('the share of 24 hours once, however it is split', async () => {
    await aRule(app.db, tenantId, { maxRedemptionPercentage: 10 });
    const max = async () => {
      const path = `/api/v1/consumer/wallets/${walletId}`;
      const answer = await app.call({ method: 'GET', path, token: consumer.token });
      return answer.json<{ redeemable: { max: number } }>().redeemable.max;
    };
    const useAgo = (hours: number) =>
      app.db.raw(
        `update redemptions set status = 'used', used_by = user_id, sealed_code = null,
           used_at = now() - make_interval(hours => :hours),
           created_at = created_at - make_interval(hours => :hours),
           expires_at = expires_at - make_interval(hours => :hours)
         where wallet_id = :walletId and status = 'issued'`,
        { hours, walletId },
      );
    expect(await max()).toBe(100);
    expect(await confirm(50)).toMatchObject({ status: 200 });
    await useAgo(24);
    expect(await max()).toBe(95);
    expect(await confirm(60)).toMatchObject({ status: 200 });
    expect(await max()).toBe(35);
    await useAgo(23);
    expect(await preview(35)).toMatchObject({
      status: 200,
      body: { redeemable: { min: 1, max: 35 } },
    });
    const above = { code: 'above_maximum_share', params: { max: 35 } };
    for (const ask of [preview, confirm]) {
      expect(await ask(36)).toMatchObject({ status: 422, body: { issues: [above] } });
    }
    expect(await confirm(35)).toMatchObject({ status: 200 });
    expect(await max()).toBe(0);
    expect(await confirm(1)).toMatchObject({ status: 422 });
  });

  it('200 with the same code, one debit and one run for the same Idempotency-Key', async () => {
    await aRule(app.db, tenantId);
    const key = { 'idempotency-key': 'once' };
    const first = await confirm(300, key);
    const again = await confirm(300, key);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(followed).toHaveLength(1);
    expect(await balanceOf(app.db, walletId)).toBe(700);

    const { rows } = await app.db.raw(
      'select row_to_json(k)::text as text from idempotency_keys k',
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows).toUpperCase()).not.toContain(codeOf(first));
  });

  it('500 when the commit fails, and a repeat under its key is carried out', async () => {
    await aRule(app.db, tenantId);
    const key = { 'idempotency-key': 'repeated' };
    await app.owner.raw(
      `create function refuse_to_commit() returns trigger language plpgsql
       as $$ begin raise exception 'The disk is full.'; end $$;
       create constraint trigger refuse_to_commit after insert on redemptions
         deferrable initially deferred for each row execute function refuse_to_commit()`,
    );
    try {
      expect(await confirm(300, key)).toMatchObject({ status: 500 });
    } finally {
      await app.owner.raw('drop function refuse_to_commit() cascade');
    }
    const again = await confirm(300, key);
    expect(again).toMatchObject({ status: 200 });
    expect(again.headers.get('idempotency-replayed')).toBeNull();
    expect(await issuedRows()).toHaveLength(1);
    expect(await balanceOf(app.db, walletId)).toBe(700);
  });

  it('leaves the code in no table, also when its answer is kept for repeats', async () => {
    await aRule(app.db, tenantId);
    const code = codeOf(await confirm(30, { 'idempotency-key': randomUUID() }));
    const tables = await textOfTables(app.db);
    expect(tables).toContain(walletId);
    for (const spelling of [code, code.toLowerCase()])
      expect(occursIn(tables, spelling)).toBe(false);
    expect(tables).not.toContain(Buffer.from(code, 'hex').toString('base64'));
  });

  it('422 without an effect, and again for the same Idempotency-Key', async () => {
    await aRule(app.db, tenantId);
    const key = { 'idempotency-key': 'refused' };
    expect(await confirm(1001, key)).toMatchObject({ status: 422 });
    const again = await confirm(1001, key);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await issuedRows()).toEqual([]);
    expect(await balanceOf(app.db, walletId)).toBe(1000);
    expect(followed).toEqual([]);
  });
});

describe.each(['preview', 'confirm'] as const)('POST …/redeem/%s refuses', (step) => {
  it.each([0, -1, 1.5, '300', null, undefined, 2 ** 53, 1e308, true, [1]])(
    '400 VALIDATION_ERROR for %s points',
    async (pointsToRedeem) => {
      await aRule(app.db, tenantId);
      const answer = await ask(step, { pointsToRedeem });
      expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
      expect(await issuedRows()).toEqual([]);
    },
  );

  it.each<[string, string, number, Parameters<typeof aRule>[2] | null]>([
    ['INSUFFICIENT_BALANCE', 'the balance is lower', 1001, {}],
    ['INSUFFICIENT_BALANCE', 'the balance is lower, whatever the rule', 1001, null],
    ['RULE_REJECTED', 'there is no rule', 1, null],
    ['RULE_REJECTED', 'no rule is in effect yet', 1, { effectiveFrom: '2999-01-01T00:00:00Z' }],
    ['RULE_REJECTED', 'the balance is below the minimum', 1, { minBalanceToRedeem: 1001 }],
    ['RULE_REJECTED', 'it is more than half', 501, { maxRedemptionPercentage: 50 }],
  ])('422 %s: %s', async (code, _, points, rule) => {
    if (rule !== null) await aRule(app.db, tenantId, rule);
    const answer = await ask(step, { pointsToRedeem: points });
    expect(answer).toMatchObject({ status: 422, body: { code } });
    expect(await issuedRows()).toEqual([]);
    expect(await balanceOf(app.db, walletId)).toBe(1000);
  });

  it('403 FORBIDDEN for a frozen wallet', async () => {
    await aRule(app.db, tenantId);
    await app.db.transaction((tx) => wallets.setStatus(tx, walletId, 'frozen'));
    const answer = await ask(step, { pointsToRedeem: 1 });
    expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await issuedRows()).toEqual([]);
  });

  it('404 NOT_FOUND for another person’s wallet', async () => {
    await aRule(app.db, tenantId);
    consumer = await app.signIn({ role: 'consumer' });
    const answer = await ask(step, { pointsToRedeem: 1 });
    expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('403 INSUFFICIENT_ROLE for a merchant, 401 without a token', async () => {
    consumer = await app.signIn({ role: 'client' });
    const answer = await ask(step, { pointsToRedeem: 1 });
    expect(answer).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_ROLE' } });
    consumer = { ...consumer, token: 'none' };
    expect(await ask(step, { pointsToRedeem: 1 })).toMatchObject({ status: 401 });
  });
});
