import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pathOf, type Route } from '../../../api/http/route.ts';
import { memberCardExample } from '../../../api/resources/member.ts';
import { giveUp } from '../../../db/connections/truth-days.ts';
import { numberOf } from '../../../db/users/members.ts';
import {
  ConnectionId,
  type EntryId,
  ObjectName,
  type UserId,
  type WalletId,
} from '../../../domain/ids.ts';
import { holds, ROLES, type Role } from '../../../domain/roles.ts';
import { createRedemptionCodes } from '../../../gateways/crypto/redemption-codes.ts';
import { createStopLinks } from '../../../gateways/crypto/stop-links.ts';
import { createObjectStore } from '../../../gateways/objects/create-store.ts';
import { STORED_LOGO_TYPE } from '../../../gateways/objects/logo-image.ts';
import type { ObjectStore } from '../../../gateways/objects/store.ts';
import {
  aCampaign,
  aCountedMonth,
  aProgramme,
  aRehearsal,
  aReward,
  aRule,
  aTenant,
  aUser,
  required,
  testKeys,
} from '../factories.ts';
import { anInvite } from '../people/invites.ts';
import { aGoodwillRequest } from '../points/goodwill.ts';
import { anImport } from '../points/imports.ts';
import { aTill } from '../points/payments.ts';
import { aRedemption } from '../points/redemptions.ts';
import { testOAuth } from '../providers/oauth.ts';
import { providerSettings } from '../providers/providers.ts';
import { aPushSubscription } from '../push-service.ts';
import { type SignedIn, startApp, type TestApp } from './app.ts';
import { aDelivery, anEndpoint } from './endpoints.ts';

export const WEBHOOK_KEY = 'webhook signature key of the tests';

export type OpenShop = {
  app: TestApp;
  /** One user per role; the client and the operator are members of the tenant. */
  people: ReadonlyMap<Role, SignedIn>;
  /** The tokens of those who may call the route, so that it succeeds; none if it needs no token. */
  tokensFor(route: Route): string[];
  /** An existing id for each parameter of the route's path. */
  idsOf(route: Route): Readonly<Record<string, string>>;
  close(): Promise<void>;
};

/** Redemption codes with the value that the examples use. */
const exampleCodes = createRedemptionCodes(testKeys, () => Buffer.from('9f86d081884c', 'hex'));

type Credit = { id: EntryId; walletId: WalletId };

/** Starts the whole API with a tenant that has a row for every kind of path parameter. */
export async function openShop(): Promise<OpenShop> {
  const dir = await mkdtemp(join(tmpdir(), 'loyalty-shop-'));
  const objects = createObjectStore({ url: pathToFileURL(dir).href });
  const settings = {
    pushKey: 'a public key',
    providers: providerSettings({
      ALPHA_WEBHOOK_SIGNATURE_KEY: WEBHOOK_KEY,
      BETA_WEBHOOK_SECRET: WEBHOOK_KEY,
    }),
  };
  // No server is needed: only the merchant's browser opens these addresses.
  const oauth = testOAuth({ alpha: 'https://alpha.example', beta: 'https://beta.example' });
  const orchestrator = { bringIn: async () => undefined };
  const app = await startApp({ objects, oauth, settings, orchestrator });
  const tenantId = await aTenant(app.db);
  await aRule(app.db, tenantId);
  await aProgramme(app.db, tenantId, { tillAttach: true });
  const people = new Map<Role, SignedIn>();
  for (const role of ROLES) {
    const isStaff = role === 'client' || role === 'pos_operator';
    const email = `${role}@staff.example`;
    people.set(role, await app.signIn({ role, email, ...(isStaff && { member: tenantId }) }));
  }
  // Made before, so that who reads it changes nothing.
  for (const { userId } of people.values()) await numberOf(app.db, userId);
  const { memberNumber } = memberCardExample;
  const memberId = await aUser(app.db);
  await app.db('users').where({ id: memberId }).update({ memberNumber });
  const leaving = await app.signIn({ role: 'pos_operator', member: tenantId });
  const waits = { role: 'client', status: 'pending_approval' } as const;
  const [waiting, applying] = [await app.signIn(waits), await app.signIn(waits)];
  // People who never work at a till, as the consumer does once an invite was accepted.
  const [toErase, erasing] = [await aUser(app.db), await app.signIn({ role: 'consumer' })];

  const sell = await aTill(app.db, tenantId);
  const transactionId = await sell({ email: 'consumer@staff.example', amount: 9_000 });
  const soldAt = new Date();
  const unnamed = { amount: 4_500, createdAt: soldAt };
  const [toAttach, toAttachAtTill] = [await sell(unnamed), await sell(unnamed)];
  // To be found, whatever becomes of the two.
  await sell(unnamed);
  await app.db('tenants').where({ id: tenantId }).update({ currency: 'EUR' });
  const credit = required(await app.db('ledger_entries').first<Credit>('id', 'walletId'));
  await aRedemption(app.db, { walletId: credit.walletId, codes: exampleCodes });
  const { id: redemptionId } = await aRedemption(app.db, { walletId: credit.walletId });
  const invited = async (email?: string) =>
    (await anInvite(app.db, { tenantId, ...(email !== undefined && { email }) })).id;
  const [toWithdraw, toAccept] = [await invited(), await invited('consumer@staff.example')];
  const elsewhere = await anInvite(app.db, { email: 'consumer@staff.example' });
  const connection = required(
    await app.db('pos_connections').where({ tenantId }).first<{ id: string }>('id'),
  );
  const { id: toDelete } = await anEndpoint(app.db, tenantId);
  const toJoin = await aTenant(app.db);
  const toDrop = await anImport(app.db, tenantId);
  const [toGrant, toWithdrawAsked] = [
    await aGoodwillRequest(app.db, tenantId),
    await aGoodwillRequest(app.db, tenantId),
  ];
  const { id: toMail } = await aRedemption(app.db, { walletId: credit.walletId });
  const codeMailedAt = new Date(Date.now() - 120_000);
  await app.db('redemptions').where({ id: toMail }).update({ codeMailedAt });
  const toRevert = await anImport(app.db, tenantId, 'done');
  const of = { connectionId: ConnectionId.parse(connection.id), tenantId, day: '2026-01-14' };
  await giveUp(app.db, [{ ...of, endsAt: new Date() }]);
  await aCountedMonth(app.db, tenantId);
  const ids = {
    tenantId,
    transactionId,
    walletId: credit.walletId,
    entryId: credit.id,
    redemptionId,
    connectionId: connection.id,
    ...(await aDelivery(app.db, tenantId)),
    objectName: await storePicture(objects),
    rehearsalId: await aRehearsal(app.db, tenantId),
    campaignId: await aCampaign(app.db, tenantId),
    rewardId: await aReward(app.db, tenantId),
    importId: await anImport(app.db, tenantId),
    goodwillId: await aGoodwillRequest(app.db, tenantId),
    pushSubscriptionId: await aPushSubscription(app.db, required(people.get('consumer')).userId),
    day: soldAt.toISOString().slice(0, 10),
    at: soldAt.toISOString(),
    token: tokenOf(required(people.get('consumer')).userId),
  };
  return {
    app,
    people,
    tokensFor: (route) =>
      route.path.endsWith('/:pushSubscriptionId')
        ? [required(people.get('consumer')).token]
        : route.path === '/consumer/erasure'
          ? [erasing.token]
          : route.path === '/auth/me/application'
            ? [applying.token]
            : rolesFor(route).map((role) => required(people.get(role)).token),
    idsOf: ({ method, path }) => ({
      ...ids,
      ...(path.endsWith('/attachments') && { transactionId: toAttach }),
      ...(path.startsWith('/pos/anonymous-sales') && { transactionId: toAttachAtTill }),
      ...(method === 'DELETE' && { endpointId: toDelete, importId: toDrop }),
      ...(path.endsWith('/revert') && { importId: toRevert }),
      ...(path.endsWith('/mail') && { redemptionId: toMail }),
      ...(path.endsWith('/grant') && { goodwillId: toGrant }),
      ...(path.endsWith('/withdraw') && { goodwillId: toWithdrawAsked }),
      ...(path === '/consumer/wallets' && { tenantId: toJoin }),
      inviteId:
        method === 'DELETE' ? toWithdraw : path.endsWith('/decline') ? elsewhere.id : toAccept,
      userId: /^.admin.wallets|consumers/.test(path)
        ? required(people.get('consumer')).userId
        : path.endsWith('/erase')
          ? toErase
          : path.startsWith('/admin')
            ? waiting.userId
            : leaving.userId,
    }),
    async close() {
      await app.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** The token of the link in a mail to somebody. */
function tokenOf(userId: UserId): string {
  const url = createStopLinks(testKeys, 'https://a.example').urlOf({ userId, kind: 'points' });
  return required(new URL(url).searchParams.get('token') ?? undefined);
}

/** The path of a route with these values for its parameters. */
export function addressOf(route: Route, ids: Readonly<Record<string, string>>): string {
  return pathOf(route).replace(/:(\w+)/g, (_, name: string) => required(ids[name]));
}

/** The body of a route's example with these values for its ids. */
export function bodyOf(route: Route, ids: Readonly<Record<string, string>>): unknown {
  const body = route.examples?.body;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const named = Object.entries(body).map(([name, value]) => [name, ids[name] ?? value]);
  return Object.fromEntries(named);
}

/** The query of a route's example with these values for its ids, or nothing. */
export function queryOf(route: Route, ids: Readonly<Record<string, string>>): string {
  const asked = Object.entries(Object(route.examples?.query));
  const query = new URLSearchParams();
  for (const [name, value] of asked) query.set(name, ids[name] ?? String(value));
  return query.size === 0 ? '' : `?${query}`;
}

/** The roles that may call a route; none if access does not depend on a role. */
export function rolesFor({ access }: Route): Role[] {
  switch (access) {
    case 'public':
    case 'signed-webhook':
    case 'signed-state':
    case 'cron-secret':
      return [];
    case 'any-token':
      return [...ROLES];
    case 'active-user':
      return ['consumer', 'pos_operator'];
    default:
      return ROLES.filter((role) => holds(role, access));
  }
}

async function storePicture(objects: ObjectStore): Promise<string> {
  const name = ObjectName.parse(`${'0a'.repeat(16)}.webp`);
  await objects.put(name, { bytes: Buffer.from('a picture'), contentType: STORED_LOGO_TYPE });
  return name;
}
