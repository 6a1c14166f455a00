import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Db } from '../../db/connection.ts';
import { requireLimits, storeSettings } from '../../db/session-settings.ts';
import { createEmptyDatabase } from '../support/database/test-database.ts';
import { anAlphaConnection, anAlphaEvent, aRule, aTenant } from '../support/factories.ts';
import { startIssuer } from '../support/people/issuer.ts';
import { tokenFor } from '../support/people/tokens.ts';
import { SIGNATURE_KEY } from '../support/processes.ts';
import { type Pooler, startPgBouncer } from './pgbouncer.ts';
import { ensurePgBouncer, ifThere } from './programs.ts';
import { cleanUps, makeFolder, type Service, startRealService } from './service.ts';

// The whole service behind a pooler that gives its connections away after each transaction.

const found = await ensurePgBouncer();
const SALES = 200;
const undo = cleanUps();
let service: Service;
let pooler: Pooler;
let pooled: Db;
let token: string;

/** The service's role keeps its settings, as `npm run migrate` stores them. */
async function store(databaseUrl: string): Promise<void> {
  const db = connect(databaseUrl, 1, 'loyalty-test');
  await storeSettings(db);
  await db.destroy();
}

const merchantId = `M${randomUUID()}`;
async function report(email: string): Promise<number> {
  const url = `${service.apiUrl}/api/v1/webhooks/alpha`;
  const body = anAlphaEvent(merchantId, { email, amount: 100 });
  const signature = createHmac('sha256', SIGNATURE_KEY).update(url).update(body).digest('base64');
  const headers = { 'x-alpha-hmacsha256-signature': signature };
  return (await fetch(url, { method: 'POST', body: Uint8Array.from(body), headers })).status;
}

describe('PgBouncer, in transaction mode', ifThere(found), () => {
  beforeAll(async () => {
    const folder = await makeFolder(undo);
    const issuer = await startIssuer();
    undo.add(issuer.close);
    service = await startRealService(undo, async (databaseUrl) => {
      pooler = await startPgBouncer('path' in found ? found.path : '', folder, databaseUrl);
      undo.add(pooler.stop);
      await store(pooler.urlOf(databaseUrl));
      pooled = connect(pooler.urlOf(databaseUrl), 8, 'loyalty-test');
      undo.add(() => pooled.destroy());
      return { OIDC_ISSUER: issuer.url, DATABASE_URL: pooler.urlOf(databaseUrl) };
    });
    const tenantId = await aTenant(service.db);
    await aRule(service.db, tenantId);
    await anAlphaConnection(service.db, { tenantId, merchantId });
    token = await tokenFor(service.db, issuer, { role: 'consumer', email: 'ann@shop.example' });
  });
  afterAll(() => undo.run());

  it('credits sales, and confirms a redemption', async () => {
    const answers = await Promise.all(
      Array.from({ length: SALES }, () => report('ann@shop.example')),
    );
    expect(new Set(answers)).toEqual(new Set([200]));
    const wallets = () => service.db('wallets').select('id', 'balance');
    await expect.poll(wallets, { timeout: 90_000 }).toMatchObject([{ balance: 100 * SALES }]);
    const [wallet] = await wallets();
    const path = `/consumer/wallets/${wallet?.id}/redeem/confirm`;
    const confirmed = await Promise.all(
      Array.from({ length: 20 }, () => service.call(token, 'POST', path, { pointsToRedeem: 10 })),
    );
    expect(confirmed.map(({ status }) => status)).toEqual(confirmed.map(() => 200));
    expect(await wallets()).toMatchObject([{ balance: 100 * SALES - 200 }]);
  });

  it('ends a statement and a transaction that take too long', async () => {
    await requireLimits(pooled);
    await expect(pooled.raw('select pg_sleep(30)')).rejects.toMatchObject({ code: '57014' });
  });

  it('is noticed, with what to do, when the role has no limits', async () => {
    const empty = await createEmptyDatabase();
    undo.add(empty.close);
    const db = connect(pooler.urlOf(empty.url), 1, 'loyalty-test');
    undo.add(() => db.destroy());
    const refused = requireLimits(db);
    await expect(refused).rejects.toThrow('statement_timeout is 0');
    await expect(refused).rejects.toThrow(/alter role .* in database .* set statement_timeout/);
  });
});
