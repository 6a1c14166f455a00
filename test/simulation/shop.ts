import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { connectProvider } from '../../sandbox/connecting.ts';
import { ask, askFor } from './client.ts';
import { ADMIN_EMAIL, type Deployment } from './deployment.ts';
import type { Version } from './model/state.ts';
import type { Buyer, Provider } from './steps.ts';

export type Person = { sub: string; token: string; userId: string };

export type RungSale = {
  provider: Provider;
  id: string;
  orderId: string | undefined;
  amount: number;
  version: Version;
  /** Alpha's refunds, in their order; the newest is the one that may fail. */
  refunds: { id: string; amount: number }[];
};

/** A tenant of one history, with its people, sales and codes by their names in the history. */
export type Shop = {
  tenantId: string;
  merchant: string;
  operator: string;
  admin: string;
  merchantIds: Record<Provider, string>;
  people: Map<string, Person>;
  sales: Map<string, RungSale>;
  codes: Map<string, { id: string; text: string; person: string }>;
  invites: Map<string, string>;
  /** The providers' ids of customers, by provider and contacts. */
  customers: Map<string, string>;
  /** What a contact of the history is called in the world. */
  addressOf(contact: string, kind: 'email' | 'phone'): string;
};

const Profile = z.object({ userId: z.string(), role: z.string(), tenantIds: z.array(z.string()) });
const Workspace = z.object({ tenantId: z.string() });
const Overview = z.object({ tenant: z.object({ currency: z.string().nullable() }) });

/** Opens a shop in a new tenant, through the routes that people use: both providers connected. */
export async function openShop(deployment: Deployment): Promise<Shop> {
  const { urls, issuer, providers } = deployment;
  const mark = randomUUID().slice(0, 8);
  const admin = await tokenOf(deployment, 'admin', { email: ADMIN_EMAIL });
  const merchant = await issuer.token({
    sub: `merchant-${mark}`,
    email: `merchant-${mark}@shop.example`,
    email_verified: true,
    app_metadata: { role: 'client' },
  });
  const { userId } = await profileOf(urls, merchant);
  const approve = { method: 'PATCH', path: `/admin/users/${userId}/approve`, body: {} };
  const { tenantId } = await askFor(urls, Workspace, { ...approve, token: admin });
  const merchantIds = {
    alpha: providers.alpha.addMerchant({ name: 'Shop', locations: [{ name: 'Main' }] }).id,
    beta: providers.beta.addMerchant({ name: 'Shop' }).id,
  };
  const operatorEmail = `operator-${mark}@shop.example`;
  await askFor(urls, z.unknown(), {
    method: 'POST',
    path: `/client/tenants/${tenantId}/store-operator-invites`,
    body: { email: operatorEmail },
    token: merchant,
  });
  const operator = await tokenOf(deployment, `operator-${mark}`, { email: operatorEmail });
  const shop: Shop = {
    tenantId,
    merchant,
    operator,
    admin,
    merchantIds,
    people: new Map(),
    sales: new Map(),
    codes: new Map(),
    invites: new Map(),
    customers: new Map(),
    addressOf: createAddresses(mark),
  };
  for (const provider of ['alpha', 'beta'] as const) await connectShop(deployment, shop, provider);
  await untilCurrencyIsKnown(urls, shop);
  return shop;
}

/** Signs somebody in, for the first time or again, with the contacts that the token carries. */
async function tokenOf({ urls, issuer }: Deployment, sub: string, { email }: { email: string }) {
  const token = await issuer.token({ sub, email, email_verified: true });
  await profileOf(urls, token);
  return token;
}

/** Reads who the service takes the owner of the token for. */
export function profileOf(
  urls: readonly string[],
  token: string,
): Promise<z.infer<typeof Profile>> {
  return askFor(urls, Profile, { path: '/auth/me', token });
}

const connecting = new Map<string, Promise<unknown>>();
const CONNECT_ATTEMPTS = 30;

/**
 * Connects the shop's account of a provider. A simulator consents for one merchant at a time, so
 * shops wait for each other.
 */
export async function connectShop(
  { urls, providers }: Deployment,
  { tenantId, merchant, merchantIds }: Shop,
  provider: Provider,
): Promise<void> {
  const at = providers[provider];
  const connection = { tenantId, provider, at, merchantId: merchantIds[provider] };
  const work = async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await connectProvider({ api: urls[0] ?? '', token: merchant }, connection);
      } catch (error) {
        if (attempt === CONNECT_ATTEMPTS) throw error;
        await sleep(attempt * 50);
      }
    }
  };
  const before = connecting.get(at.url) ?? Promise.resolve();
  const connected = before.then(work);
  connecting.set(
    at.url,
    connected.catch(() => undefined),
  );
  await connected;
}

/** Disconnects the shop's active accounts of a provider, or all of them. */
export async function disconnectShop(
  { urls }: Deployment,
  { tenantId, merchant: token }: Shop,
  provider?: Provider,
): Promise<void> {
  const path = `/client/tenants/${tenantId}/pos-connections`;
  const Connections = z.array(
    z.object({ id: z.string(), posType: z.string(), status: z.string() }),
  );
  for (const { id, posType, status } of await askFor(urls, Connections, { path, token })) {
    if (status !== 'active' || (provider !== undefined && posType !== provider)) continue;
    await askFor(urls, z.unknown(), { method: 'DELETE', path: `${path}/${id}`, token });
  }
}

async function untilCurrencyIsKnown(
  urls: readonly string[],
  { tenantId, merchant: token }: Shop,
): Promise<void> {
  const path = `/client/tenants/${tenantId}`;
  for (let attempt = 0; attempt < 300; attempt++) {
    const { tenant } = await askFor(urls, Overview, { path, token });
    if (tenant.currency !== null) return;
    await sleep(100);
  }
  throw new Error('The currency of the accounts was not read within 30 seconds.');
}

/** Phone numbers are few: none is given twice in a run. */
let nextPhone = 2_000_000;

/** Names for the people's contacts that no other history uses. */
function createAddresses(mark: string): Shop['addressOf'] {
  const phones = new Map<string, string>();
  return (contact, kind) => {
    if (kind === 'email') return `${contact.replace('.', '-')}-${mark}@people.example`;
    const phone = phones.get(contact) ?? `+1202${nextPhone++}`;
    phones.set(contact, phone);
    return phone;
  };
}

/** The provider's customer with these contacts, made when it is first needed. */
export function customerOf(
  { providers }: Deployment,
  shop: Shop,
  { provider, buyer }: { provider: Provider; buyer: Buyer },
): string {
  const key = `${provider} ${buyer.email} ${buyer.phone}`;
  const known = shop.customers.get(key);
  if (known !== undefined) return known;
  const email = buyer.email && shop.addressOf(buyer.email, 'email');
  const phone = buyer.phone && shop.addressOf(buyer.phone, 'phone');
  const merchantId = shop.merchantIds[provider];
  const { id } =
    provider === 'alpha'
      ? providers.alpha.addCustomer({
          merchantId,
          email: email ?? undefined,
          phone: phone ?? undefined,
        })
      : providers.beta.addCustomer({
          merchantId,
          emails: email === null ? [] : [email],
          phones: phone === null ? [] : [phone],
        });
  shop.customers.set(key, id);
  return id;
}

/** Asks for something that changes the shop, in the name of its merchant. */
export function askAsMerchant(
  { urls }: Deployment,
  { merchant, tenantId }: Shop,
  { path, body }: { path: string; body: unknown },
) {
  const request = { method: 'POST', path: `/client/tenants/${tenantId}${path}`, body };
  return ask(urls, { ...request, token: merchant });
}
