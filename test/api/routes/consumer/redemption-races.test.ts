import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { TenantId, WalletId } from '../../../../domain/ids.ts';
import { aRule, aTenant, aWallet, required } from '../../../support/factories.ts';
import { useDatabase, useTemporal } from '../../../support/fixtures.ts';
import { type Answer, send } from '../../../support/http/app.ts';
import { startIssuer } from '../../../support/people/issuer.ts';
import { tokenFor } from '../../../support/people/tokens.ts';
import { balanceOf, testCodes } from '../../../support/points/redemptions.ts';
import { createProcesses, type Processes } from '../../../support/processes.ts';

const apis: Processes[] = [];
const database = await useDatabase();
const { db } = database;
const temporal = await useTemporal();
const issuer = await startIssuer();
for (let count = 0; count < 2; count++) {
  const processes = await createProcesses({
    databaseUrl: database.url,
    temporalAddress: temporal.address,
    namespace: temporal.namespace,
    issuer: issuer.url,
    env: {
      RATE_LIMIT_READS: '0',
      RATE_LIMIT_WRITES: '0',
      RATE_LIMIT_LOOKUPS: '0',
      LOG_LEVEL: 'info',
    },
  });
  apis.push(processes);
  await processes.start('api');
}
afterAll(async () => {
  for (const processes of apis) await processes.close();
  await issuer.close();
});

let tenantId: TenantId;
let walletId: WalletId;
let token: string;
beforeEach(async () => {
  tenantId = await aTenant(db);
  await aRule(db, tenantId);
  const email = `${randomUUID()}@example.com`;
  token = await tokenFor(db, issuer, { role: 'consumer', email });
  const user = await db('users').where({ email }).first('id');
  walletId = await aWallet(db, { balance: 1000, userId: required(user).id, tenantId });
});

const path = () => `/api/v1/consumer/wallets/${walletId}/redeem/confirm`;
const urlOf = (nth: number) => required(apis[nth % 2]).apiUrl;

const confirm = (nth: number, pointsToRedeem: number, key?: string) =>
  send(urlOf(nth), {
    method: 'POST',
    path: path(),
    token,
    body: { pointsToRedeem },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
const codeOf = (answer: Answer): string => answer.json<{ redemptionCode: string }>().redemptionCode;
const each = <T>(count: number, work: (nth: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, nth) => work(nth)));
const issued = () => db('redemptions').where({ walletId });

describe('two API processes', () => {
  it('one code and 49 × 422 for 50 confirms that the balance covers once', async () => {
    const answers = await each(50, (nth) => confirm(nth, 600));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 422);
    expect(refused).toHaveLength(49);
    for (const { body } of refused) expect(body).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    expect(await issued()).toHaveLength(1);
    expect(await balanceOf(db, walletId)).toBe(400);
  });

  it('50 different codes for 50 confirms that the balance covers', async () => {
    const answers = await each(50, (nth) => confirm(nth, 20));
    expect(new Set(answers.map(codeOf)).size).toBe(50);
    expect(await balanceOf(db, walletId)).toBe(0);
  });

  it('one 200 and 49 × 422 for 50 completions of one code', async () => {
    const code = codeOf(await confirm(0, 100));
    const operator = await tokenFor(db, issuer, { role: 'pos_operator', member: tenantId });
    const answers = await each(50, (nth) =>
      send(urlOf(nth), {
        method: 'POST',
        path: '/api/v1/pos/redemptions/complete',
        token: operator,
        body: { code },
      }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(49);
  });

  it('one debit and one code for 20 confirms under one Idempotency-Key', async () => {
    const key = randomUUID();
    const answers = await each(20, (nth) => confirm(nth, 100, key));
    const codes = answers.filter(({ status }) => status === 200).map(codeOf);
    expect(new Set(codes).size).toBe(1);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(await issued()).toHaveLength(1);
    expect(await balanceOf(db, walletId)).toBe(900);
  });
});

describe('a connection that breaks before the response', () => {
  it('one debit, and the code of the first request for a repeat', async () => {
    const key = randomUUID();
    await db.transaction(async (tx) => {
      // The request reaches the wallet, and then its caller disconnects.
      await tx('wallets').where({ id: walletId }).forUpdate().select('id');
      await sendAndHangUp(key, async () => {
        await expect.poll(isWaitingForALock, { timeout: 10_000 }).toBe(true);
      });
    });
    await expect.poll(async () => (await issued()).length, { timeout: 10_000 }).toBe(1);

    const again = await confirm(1, 100, key);
    expect(again.status).toBe(200);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const [row] = await issued();
    expect(testCodes.hmacsOf(codeOf(again))).toContainEqual(row.codeHmac);
    expect(await balanceOf(db, walletId)).toBe(900);
  });

  async function sendAndHangUp(key: string, meanwhile: () => Promise<void>): Promise<void> {
    const { hostname, port } = new URL(urlOf(0));
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const body = JSON.stringify({ pointsToRedeem: 100 });
    socket.write(
      [
        `POST ${path()} HTTP/1.1`,
        `Host: ${hostname}`,
        `Authorization: Bearer ${token}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        `Idempotency-Key: ${key}`,
        '',
        body,
      ].join('\r\n'),
    );
    await meanwhile();
    socket.resetAndDestroy();
    await once(socket, 'close');
  }

  async function isWaitingForALock(): Promise<boolean> {
    const { rows } = await db.raw(
      `select from pg_stat_activity where datname = current_database()
         and application_name = 'loyalty-api' and wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  }
});
