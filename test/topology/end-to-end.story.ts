import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PEOPLE, type PersonName } from '../../sandbox/identity/people.ts';
import { ringSales, seedTenant } from '../../sandbox/seed.ts';
import { send } from '../support/app.ts';
import { startTopology, type Topology } from './topology.ts';

let topology: Topology;
let tokens: Record<PersonName, string>;
beforeAll(async () => {
  topology = await startTopology();
  const { issuer } = topology;
  tokens = {
    consumer: await issuer.token({ ...PEOPLE.consumer }),
    merchant: await issuer.token({ ...PEOPLE.merchant }),
    operator: await issuer.token({ ...PEOPLE.operator }),
    admin: await issuer.token({ ...PEOPLE.admin }),
  };
  for (const token of Object.values(tokens)) await call('GET', '/auth/me', token);
});
afterAll(() => topology?.close());

async function call(method: string, path: string, token: string, body?: unknown) {
  const path_ = `/api/v1${path}`;
  const answer = await send(topology.url, {
    method,
    path: path_,
    token,
    ...(body ? { body } : {}),
  });
  return { status: answer.status, body: Object(answer.body) };
}

describe('through the proxy', () => {
  it('sales at both providers become points, points a code, and the code is burnt once', async () => {
    const { db, alpha, beta, url: api } = topology;
    const shop = await seedTenant({ db, api, tokens, alpha, beta });
    const ada = { api, token: tokens.consumer };
    const { pointsBefore, pointsAfter } = await ringSales({ alpha, beta }, shop, ada);
    expect(pointsAfter - pointsBefore).toBe(2 * 125);

    const { body: wallets } = await call('GET', '/consumer/wallets', tokens.consumer);
    const confirm = `/consumer/wallets/${wallets[0].id}/redeem/confirm`;
    const issued = await call('POST', confirm, tokens.consumer, { pointsToRedeem: 100 });
    expect(issued.status).toBe(200);
    const code = issued.body.redemptionCode;
    await expect
      .poll(() => topology.mail.mails().some(({ text }) => text.includes(code)), {
        timeout: 20_000,
      })
      .toBe(true);

    const burns = await Promise.all(
      Array.from({ length: 8 }, () =>
        call('POST', '/pos/redemptions/complete', tokens.operator, { code }),
      ),
    );
    expect(burns.filter(({ status }) => status === 200)).toHaveLength(1);
    const after = await call('GET', '/consumer/wallets', tokens.consumer);
    expect(after.body[0].balance).toBe(150);
    const verified = await topology.verify();
    expect(verified.status, verified.text).toBe(0);
    expect(topology.faults()).toEqual([]);
  });
});
