import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathOf, type Route } from '../../api/route.ts';
import { routes } from '../../api/routes/index.ts';
import * as invites from '../../db/invites.ts';
import type { EntryId, UserId, WalletId } from '../../domain/ids.ts';
import { holds, ROLES, type Role } from '../../domain/roles.ts';
import { createObjectStore } from '../../gateways/object-store.ts';
import { createRedemptionCodes } from '../../gateways/redemption-codes.ts';
import { type SignedIn, startApp, type TestApp } from '../support/app.ts';
import { aRule, aTenant, required, testKeys } from '../support/factories.ts';
import { aTill } from '../support/payments.ts';
import { aRedemption } from '../support/redemptions.ts';
import { CRON_SECRET } from '../support/serve-routes.ts';

const named = (some: readonly Route[]) =>
  some.map((route) => [`${route.method} ${pathOf(route)}`, route] as const);

describe('the documented examples', () => {
  it.each(named(routes))('%s: its schemas accept them', (_, route) => {
    const { body, response, examples } = route;
    expect(examples?.body === undefined, 'a body has an example').toBe(body === undefined);
    expect(examples?.response === undefined, 'an answer has one').toBe(response === undefined);
    if (body) expect(body.safeParse(examples?.body).error).toBeUndefined();
    // Nothing is added and nothing is left out: the example is an answer to the letter.
    if (response) expect(response.parse(examples?.response)).toEqual(examples?.response);
  });
});

type Credit = { id: EntryId; walletId: WalletId };

/** The code that the examples name. */
const exampleCodes = createRedemptionCodes(testKeys, () => Buffer.from('9f86d081884c', 'hex'));

let dir: string;
let app: TestApp;
const people = new Map<Role, SignedIn>();
const ids: Record<string, string> = {};
/** Whom a route acts on, by the beginning of its path. */
let subjects: { client: UserId; admin: UserId };

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'loyalty-examples-'));
  app = await startApp({ objects: createObjectStore({ url: pathToFileURL(dir).href }) });
  await openShop();
});
afterAll(async () => {
  await app.close();
  await rm(dir, { recursive: true, force: true });
});

/** A tenant with everything that a route may be asked about. */
async function openShop(): Promise<void> {
  const { db } = app;
  const tenantId = await aTenant(db);
  await aRule(db, tenantId);
  for (const role of ROLES) {
    const isStaff = role === 'client' || role === 'pos_operator';
    const email = `${role}@staff.example`;
    people.set(role, await app.signIn({ role, email, ...(isStaff && { member: tenantId }) }));
  }
  const leaving = await app.signIn({ role: 'pos_operator', member: tenantId });
  const waiting = await app.signIn({ role: 'client', status: 'pending_approval' });
  subjects = { client: leaving.userId, admin: waiting.userId };

  const sell = await aTill(db, tenantId);
  const transactionId = await sell({ email: 'consumer@staff.example', amount: 9_000 });
  const entry = required(await db('ledger_entries').first<Credit | undefined>('id', 'walletId'));
  await aRedemption(db, { walletId: entry.walletId, codes: exampleCodes });
  const invite = await db.transaction((tx) =>
    invites.create(tx, {
      ...{ tenantId, email: 'invited@example.com', emailStatus: 'sent' },
      invitedBy: required(people.get('client')).userId,
    }),
  );
  Object.assign(ids, {
    ...{ tenantId, transactionId, walletId: entry.walletId, entryId: entry.id },
    inviteId: invite.id,
  });
}

function addressOf(route: Route): string {
  const userId = route.path.startsWith('/admin') ? subjects.admin : subjects.client;
  return pathOf(route).replace(/:(\w+)/g, (_, name: string) => {
    return required({ ...ids, userId }[name]);
  });
}

function credentialsOf({ access }: Route): { token?: string; headers?: Record<string, string> } {
  switch (access) {
    case 'public':
    case 'signed-webhook':
    case 'signed-state':
      return {};
    case 'cron-secret':
      return { headers: { 'x-cron-secret': CRON_SECRET } };
    case 'any-token':
      return { token: required(people.get('consumer')).token };
    default: {
      const role = required(ROLES.find((each) => holds(each, access)));
      return { token: required(people.get(role)).token };
    }
  }
}

// A webhook's example would have to be signed; its tests do that.
const asked = routes.filter((route) => route.response && route.access !== 'signed-webhook');

// In the order of the table: what is frozen is unfrozen after that.
describe('a route that is asked as its example shows', () => {
  it.each(named(asked))('%s: answers what its schema declares, and no more', async (_, route) => {
    const body = route.examples?.body;
    const answer = await app.call({
      method: route.method,
      path: addressOf(route),
      ...credentialsOf(route),
      ...(body !== undefined && { body }),
    });
    expect([answer.status, answer.body]).toEqual([route.status ?? 200, expect.anything()]);
    // An empty list would fit any schema.
    if (Array.isArray(answer.body)) expect(answer.body).not.toEqual([]);
    expect(route.response?.parse(answer.body)).toEqual(answer.body);
  });
});
