import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { pathOf, type Route } from '../../api/http/route.ts';
import { routes } from '../../api/routes/index.ts';
import * as invites from '../../db/users/invites.ts';
import type { EntryId, WalletId } from '../../domain/ids.ts';
import { digestTables } from '../support/database/table-digests.ts';
import {
  aCampaign,
  aRehearsal,
  aReward,
  aRule,
  aTenant,
  aUser,
  required,
} from '../support/factories.ts';
import type { Answer } from '../support/http/app.ts';
import { aDelivery } from '../support/http/endpoints.ts';
import { addressOf, openShop, rolesFor } from '../support/http/open-shop.ts';
import { aGoodwillRequest } from '../support/points/goodwill.ts';
import { anImport } from '../support/points/imports.ts';
import { aTill } from '../support/points/payments.ts';
import { aRedemption } from '../support/points/redemptions.ts';
import { aPushSubscription } from '../support/push-service.ts';

// Every id of another tenant is answered like one that does not exist, and changes nothing there.

const shop = await openShop();
afterAll(() => shop.close());
const { db } = shop.app;
const foreign = await anotherTenant();

/** A tenant with a row for every kind of path parameter, and the ids of these rows. */
async function anotherTenant(): Promise<Readonly<Record<string, string>>> {
  const invitedBy = await aUser(db, { role: 'client' });
  const tenantId = await aTenant(db, { ownerId: invitedBy });
  await aRule(db, tenantId);
  const userId = await aUser(db, { role: 'pos_operator' });
  await db('memberships').insert({ tenantId, userId, role: 'pos_operator' });
  const email = `${randomUUID()}@example.com`;
  await aUser(db, { email });
  const transactionId = await (await aTill(db, tenantId))({ email, amount: 9_000 });
  const entry = required(
    await db('ledger_entries')
      .where({ sourceId: transactionId })
      .first<{ id: EntryId; walletId: WalletId }>('id', 'walletId'),
  );
  const redemption = await aRedemption(db, { walletId: entry.walletId });
  const invite = await db.transaction((tx) =>
    invites.create(tx, {
      tenantId,
      email: `${randomUUID()}@example.com`,
      emailStatus: 'sent',
      invitedBy,
    }),
  );
  const connection = await db('pos_connections').where({ tenantId }).first('id');
  return {
    tenantId,
    userId,
    transactionId,
    walletId: entry.walletId,
    entryId: entry.id,
    redemptionId: redemption.id,
    inviteId: invite.id,
    connectionId: connection.id,
    rehearsalId: await aRehearsal(db, tenantId),
    campaignId: await aCampaign(db, tenantId),
    rewardId: await aReward(db, tenantId),
    importId: await anImport(db, tenantId),
    goodwillId: await aGoodwillRequest(db, tenantId),
    pushSubscriptionId: await aPushSubscription(db, userId),
    ...(await aDelivery(db, tenantId)),
  };
}

/** The ids in a path: days are the same for everybody. */
const namesOf = ({ path }: Route) =>
  [...path.matchAll(/:(\w+)/g)].flatMap(([, name = '']) => (name === 'day' ? [] : name));

/** Routes whose paths name something of a tenant besides the tenant; administrators see all. */
const named = routes.filter(
  (route) =>
    rolesFor(route).length > 0 &&
    !route.path.startsWith('/admin/') &&
    namesOf(route).some((name) => name !== 'tenantId'),
);
/** Each of these routes, with the parameters that are another tenant's: all, or one of them. */
const cases = named.flatMap((route) => {
  const others = namesOf(route).filter((name) => name !== 'tenantId');
  const ofOneEach = others.length > 1 ? others.map((name) => [name]) : [];
  return [others, ...ofOneEach].map(
    (names) => [`${route.method} ${pathOf(route)}`, names, route] as const,
  );
});

async function ask(route: Route, ids: Readonly<Record<string, string>>): Promise<Answer> {
  const [role] = rolesFor(route);
  const body = route.method === 'GET' ? undefined : (route.examples?.body ?? {});
  return shop.app.call({
    method: route.method,
    path: addressOf(route, ids),
    token: required(shop.people.get(required(role))).token,
    ...(body !== undefined && { body }),
  });
}

function shown({ status, body }: Answer) {
  const { requestId, ...envelope } = Object(body);
  return { status, envelope };
}

describe('ids of another tenant, under one’s own tenant and role', () => {
  it.each(cases)('%s, with its %j: 404, as for an unknown one', async (_, names, route) => {
    const own = shop.idsOf(route);
    const before = await digestTables(db);
    const taken = names.map((name) => [name, required(foreign[name])]);
    const answer = await ask(route, { ...own, ...Object.fromEntries(taken) });
    const unknown = names.map((name) => [name, randomUUID()]);
    const expected = await ask(route, { ...own, ...Object.fromEntries(unknown) });
    expect(shown(answer)).toMatchObject({ status: 404, envelope: { code: 'NOT_FOUND' } });
    expect(shown(answer)).toEqual(shown(expected));
    expect(await digestTables(db)).toEqual(before);
  });

  it('are of every kind that a route names, and the routes are found', () => {
    expect(cases.length).toBeGreaterThan(8);
    const kinds = new Set(named.flatMap(namesOf));
    expect([...kinds].filter((name) => foreign[name] === undefined)).toEqual([]);
  });
});
