import { afterAll, expect, it } from 'vitest';
import { createRateLimits } from '../../../../api/http/access/rate-limits.ts';
import { routes } from '../../../../api/routes/index.ts';
import type { TenantId } from '../../../../domain/ids.ts';
import { createLogger } from '../../../../gateways/telemetry/logger.ts';
import { aTenant, aWallet } from '../../../support/factories.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { send } from '../../../support/http/app.ts';
import { PATIENT_MS } from '../../../support/http/limited.ts';
import { serveRoutes } from '../../../support/http/serve-routes.ts';
import { startIssuer } from '../../../support/people/issuer.ts';
import { tokenFor } from '../../../support/people/tokens.ts';
import { aRedemption } from '../../../support/points/redemptions.ts';

// The limit of look-ups, at the routes of the till as they are served.

const PER_MINUTE = { reads: 0, writes: 1, lookups: 2, webhooks: 0 };
const { db } = await useDatabase();
const issuer = await startIssuer();
const log = createLogger({ level: 'silent', service: 'test' });
const limits = createRateLimits({ db, perMinute: PER_MINUTE, log, countWithinMs: PATIENT_MS });
const served = await serveRoutes(routes, { db, issuer, limits });
afterAll(async () => {
  await served.close();
  await issuer.close();
});

const operatorOf = (member: TenantId) => tokenFor(db, issuer, { role: 'pos_operator', member });
const ask = async (step: string, token: string, code = 'ABC') =>
  send(served.url, {
    method: 'POST',
    path: `/api/v1/pos/redemptions/${step}`,
    token,
    body: { code },
  });

it('is one of an operator for lookup and complete, which are no writes', async () => {
  const tenantId = await aTenant(db);
  const token = await operatorOf(tenantId);
  const walletId = await aWallet(db, { balance: 100, tenantId });
  const { code } = await aRedemption(db, { walletId });
  expect((await ask('lookup', token, code)).status).toBe(200);
  expect((await ask('complete', token, code)).status).toBe(200);
  for (const step of ['lookup', 'complete']) {
    const refused = await ask(step, token, code);
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(refused.headers.get('ratelimit-policy')).toBe('"lookups";q=2;w=60');
  }
});

it('is ten times as many of a shop, over all its operators', async () => {
  const tenantId = await aTenant(db);
  for (let nth = 0; nth < 10; nth++) {
    const token = await operatorOf(tenantId);
    expect((await ask('lookup', token)).status).toBe(404);
    expect((await ask('complete', token)).status).toBe(404);
  }
  expect((await ask('lookup', await operatorOf(tenantId))).status).toBe(429);
  expect((await ask('lookup', await operatorOf(await aTenant(db)))).status).toBe(404);
});
