import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { connect, type Db } from '../../db/connection.ts';
import { byProvider } from '../../domain/payment.ts';
import { PEOPLE, type PersonName } from '../../sandbox/identity/people.ts';
import { asSimulator as asAlpha } from '../../sandbox/providers/alpha/index.ts';
import { asSimulator as asBeta } from '../../sandbox/providers/beta/index.ts';
import { type SeededTenant, seedTenant } from '../../sandbox/seed.ts';
import { send } from '../support/http/app.ts';
import type { Deployment } from './deployment.ts';
import { podman } from './engine.ts';

const WITHIN_MS = 90_000;
const CENTS = 1_250;
const POINTS = CENTS / 10;

export type Shop = {
  tenantId: SeededTenant['tenantId'];
  /** Rings a sale at each provider, and waits until both are credited. */
  ring(): Promise<void>;
  /** The same; then a code is issued and used eight times at once, of which one succeeds. */
  ringAndBurn(): Promise<void>;
  /** The points that the consumer has. */
  balance(): Promise<number>;
  /** A request as a person, through the proxy. */
  call(person: PersonName, method: string, path: string, body?: unknown): Promise<Answer>;
};

type Answer = { status: number; body: Record<string, unknown> };

/** Signs everyone in, and opens a shop with both providers connected, through the proxy. */
export async function openShop(deployment: Deployment): Promise<Shop> {
  const { url, outside } = deployment;
  const token = (person: PersonName) => outside.issuer.token({ ...PEOPLE[person] });
  const call = async (person: PersonName, method: string, path: string, body?: unknown) => {
    const request = { method, path: `/api/v1${path}`, token: await token(person) };
    const answer = await send(url, { ...request, ...(body ? { body } : {}) });
    return { status: answer.status, body: Object(answer.body) };
  };
  const people: readonly PersonName[] = ['consumer', 'merchant', 'operator', 'admin'];
  for (const person of people) {
    expect(await call(person, 'GET', '/auth/me')).toMatchObject({ status: 200 });
  }
  const [consumer = '', merchant = '', operator = '', admin = ''] = await Promise.all(
    people.map(token),
  );
  const { alpha, beta } = outside;
  const simulators = byProvider((name) => (name === 'beta' ? asBeta(beta) : asAlpha(alpha)));
  const db = await connectDirectly(deployment);
  const tokens = { consumer, merchant, operator, admin };
  const seeded = await seedTenant({ db, api: url, tokens, simulators }).finally(() => db.destroy());

  const walletOf = async () => {
    const { body } = await call('consumer', 'GET', '/consumer/wallets');
    return { id: String(body[0]?.id), balance: Number(body[0]?.balance ?? 0) };
  };
  const ring = async () => {
    const { balance } = await walletOf();
    const sale = { amount: CENTS, tip: 0 };
    alpha.ring({ ...sale, ...seeded.accounts.alpha, capture: 'at-once' });
    beta.ring({ ...sale, ...seeded.accounts.beta });
    await expect
      .poll(async () => (await walletOf()).balance, { interval: 500, timeout: WITHIN_MS })
      .toBe(balance + 2 * POINTS);
  };
  const ringAndBurn = async () => {
    await ring();
    const { id, balance } = await walletOf();
    const confirm = `/consumer/wallets/${id}/redeem/confirm`;
    const issued = await call('consumer', 'POST', confirm, { pointsToRedeem: 100 });
    expect(issued.status).toBe(200);
    const code = String(issued.body.redemptionCode);
    const mailed = () => outside.mail.mails().some(({ text }) => text.includes(code));
    await expect.poll(mailed, { timeout: WITHIN_MS }).toBe(true);
    const burn = () => call('operator', 'POST', '/pos/redemptions/complete', { code });
    const burns = await Promise.all(Array.from({ length: 8 }, burn));
    expect(burns.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await walletOf()).balance).toBe(balance - 100);
  };
  const balance = async () => (await walletOf()).balance;
  return { tenantId: seeded.tenantId, ring, ringAndBurn, balance, call };
}

/** Connects to the deployment's database as the service, from the machine itself. */
async function connectDirectly({ folder, idOf }: Deployment): Promise<Db> {
  const url = new URL(await readFile(join(folder, 'deploy/secrets/database_url'), 'utf8'));
  const addresses = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
  url.hostname = await podman('inspect', '--format', addresses, await idOf('postgres'));
  return connect(url.href, 2, 'loyalty-containers');
}

export type Traffic = {
  /** Ends with the round that is under way, and says how many there were. */
  stop(): Promise<number>;
};

/** Rings sales and burns codes, a round after the other; `stop` fails as the first that failed. */
export function keepRinging(shop: Shop): Traffic {
  let isStopped = false;
  let rounds = 0;
  const work = async () => {
    for (; !isStopped; rounds++) await shop.ringAndBurn();
  };
  const working = work();
  // Looked at in `stop`.
  working.catch(() => undefined);
  return {
    async stop() {
      isStopped = true;
      await working;
      return rounds;
    },
  };
}
