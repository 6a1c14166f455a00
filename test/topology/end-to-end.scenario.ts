import { describe, expect, it } from 'vitest';
import { byProvider } from '../../domain/payment.ts';
import { connectTemporal } from '../../gateways/temporal/connection.ts';
import { PEOPLE, type PersonName } from '../../sandbox/identity/people.ts';
import { asSimulator as asAlpha } from '../../sandbox/providers/alpha/index.ts';
import { asSimulator as asBeta } from '../../sandbox/providers/beta/index.ts';
import { seedTenant } from '../../sandbox/seed.ts';
import { send } from '../support/http/app.ts';
import { expectIntact, useTopology } from './use-topology.ts';

const topology = await useTopology();
const { issuer } = topology;
const tokens: Record<PersonName, string> = {
  consumer: await issuer.token({ ...PEOPLE.consumer }),
  merchant: await issuer.token({ ...PEOPLE.merchant }),
  operator: await issuer.token({ ...PEOPLE.operator }),
  admin: await issuer.token({ ...PEOPLE.admin }),
};
for (const token of Object.values(tokens)) await call('GET', '/auth/me', token);

async function call(method: string, path: string, token: string, body?: unknown) {
  const request = { method, path: `/api/v1${path}`, token, ...(body ? { body } : {}) };
  const answer = await send(topology.url, request);
  return { status: answer.status, body: Object(answer.body) };
}

describe('Temporal', () => {
  it('refuses who has no certificate of its authority, as the service has', async () => {
    const { address } = topology.temporal;
    await expect(connectTemporal({ address, tls: false })).rejects.toThrow();
    await expect(connectTemporal({ address, tls: true })).rejects.toThrow();
  });
});

describe('through the proxy', () => {
  it('points for sales at both providers, a code for points, and one use of the code', async () => {
    const { db, alpha, beta, url: api } = topology;
    const simulators = byProvider((name) => (name === 'beta' ? asBeta(beta) : asAlpha(alpha)));
    const { accounts } = await seedTenant({ db, api, tokens, simulators });
    const sale = { amount: 1250, tip: 150 };
    alpha.ring({ ...sale, ...accounts.alpha, capture: 'at-once' });
    beta.ring({ ...sale, ...accounts.beta });
    const balanceOfAda = async () =>
      (await call('GET', '/consumer/wallets', tokens.consumer)).body[0]?.balance;
    await expect.poll(balanceOfAda, { interval: 500 }).toBe(2 * 125);

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
    await expectIntact(topology);
  });
});
