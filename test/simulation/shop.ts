import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ask, askFor } from './client.ts';
import { connectAccount } from './connecting.ts';
import { ADMIN_EMAIL, type Deployment } from './deployment.ts';
import type { TierAward } from './model/points.ts';
import type { Version } from './model/state.ts';
import type { Inbox } from './receiver.ts';
import type { Secrets } from './secrets.ts';
import type { Buyer, Provider } from './steps.ts';

export type Person = {
  sub: string;
  name: string;
  token: string;
  userId: string;
  /** How many who had the name in the history were erased before. */
  nth: number;
};

export type RungSale = {
  provider: Provider;
  id: string;
  orderId: string | undefined;
  amount: number;
  version: Version;
  /** In their order; the newest is the one that may fail. */
  refunds: { id: string; amount: number }[];
};

/** A tenant with the access token of its merchant. */
export type Tenant = { tenantId: string; merchant: string; merchantUserId: string };

/** A tenant of one history, with its people, sales and codes by their names in the history. */
export type Shop = Tenant & {
  /** By the clock of this machine. */
  openedAt: number;
  timeZone: string;
  /** Another tenant that wants the same accounts, once there is one. */
  rival: Tenant | undefined;
  operator: string;
  operatorUserId: string;
  admin: string;
  merchantIds: Record<Provider, string>;
  /** Accounts of another currency, once there are any. */
  foreignIds: Partial<Record<Provider, string>>;
  people: Map<string, Person>;
  /** Who was erased, by what they are called since then. */
  erased: Map<string, Person>;
  sales: Map<string, RungSale>;
  /** With whether its person had an address to which it is mailed. */
  codes: Map<string, { id: string; text: string; person: string; isMailed: boolean }>;
  /** The ids of its campaigns, in the order in which they were published. */
  campaigns: string[];
  /** Those of its rewards. */
  rewards: string[];
  /** The months that were to be ended, by how many months they are ahead. */
  months: Map<number, number>;
  /** The last night for which tiers were decided; 0 before the first. */
  lastNight: number;
  /** Where the shop has its events sent to, with the endpoint's id and secret. */
  endpoint: Inbox & { id: string; secret: string };
  /** What tiers gave, by the ids of transactions that have earned: that never changes. */
  tierAwards: Map<string, TierAward | null>;
  invites: Map<string, string>;
  /** The ids of all its invites with the addresses that they were for. */
  invited: Set<string>;
  /** The providers' ids of customers, by provider and contacts. */
  customers: Map<string, string>;
  /** Makes the names of this shop's people different from others'. */
  mark: string;
  /** What a contact of the history is called in the world. */
  addressOf(contact: string, kind: 'email' | 'phone'): string;
};

const Profile = z.object({
  userId: z.string(),
  role: z.string(),
  pendingInvites: z.array(z.object({ tenantId: z.string() })),
});
const Invited = z.object({ inviteId: z.string() });
const Endpoint = z.object({ id: z.string(), secret: z.string() });
const Workspace = z.object({ tenantId: z.string() });
const Overview = z.object({ tenant: z.object({ currency: z.string().nullable() }) });

/** Opens a shop in a new tenant, through the routes that people use: both providers connected. */
export async function openShop(deployment: Deployment, timeZone: string): Promise<Shop> {
  const { urls, providers, secrets } = deployment;
  const mark = randomUUID().slice(0, 8);
  const openedAt = Date.now();
  const admin = await tokenOf(deployment, 'admin', { email: ADMIN_EMAIL });
  const tenant = await openTenant(deployment, admin, mark);
  const endpoint = await openEndpoint(deployment, tenant);
  const merchantIds = {
    alpha: providers.alpha.addMerchant({ name: 'Shop', locations: [{ name: 'Main' }] }).id,
    beta: providers.beta.addMerchant({ name: 'Shop' }).id,
  };
  const operatorEmail = `operator-${mark}@shop.example`;
  const { inviteId } = await askFor(urls, Invited, {
    method: 'POST',
    path: `/client/tenants/${tenant.tenantId}/store-operator-invites`,
    body: { email: operatorEmail },
    token: tenant.merchant,
  });
  const operator = await tokenOf(deployment, `operator-${mark}`, { email: operatorEmail });
  const { userId: operatorUserId } = await profileOf(urls, operator);
  const shop: Shop = {
    ...tenant,
    openedAt,
    timeZone,
    rival: undefined,
    operator,
    operatorUserId,
    admin,
    merchantIds,
    foreignIds: {},
    people: new Map(),
    erased: new Map(),
    sales: new Map(),
    codes: new Map(),
    campaigns: [],
    rewards: [],
    months: new Map(),
    lastNight: 0,
    endpoint,
    tierAwards: new Map(),
    invites: new Map(),
    invited: new Set([`${inviteId} ${operatorEmail}`]),
    customers: new Map(),
    mark,
    addressOf: createAddresses(mark, secrets),
  };
  for (const provider of ['alpha', 'beta'] as const) {
    const account = { provider, merchantId: merchantIds[provider] };
    const outcome = await connectAccount(deployment, shop, account);
    if (outcome !== 'connected') throw new Error(`${provider} was not connected: ${outcome}`);
  }
  await untilCurrencyIsKnown(urls, shop);
  return shop;
}

/** Makes a merchant with a tenant of their own. */
export async function openTenant(
  deployment: Deployment,
  admin: string,
  mark: string,
): Promise<Tenant> {
  const { urls, secrets } = deployment;
  const email = `merchant-${mark}@shop.example`;
  secrets.addContact(`merchant-${mark}`, 'e-mail', email);
  const merchant = await issue(deployment, {
    sub: `merchant-${mark}`,
    email,
    email_verified: true,
    app_metadata: { role: 'client' },
  });
  const { userId } = await profileOf(urls, merchant);
  const approve = { method: 'PATCH', path: `/admin/users/${userId}/approve`, body: {} };
  const { tenantId } = await askFor(urls, Workspace, { ...approve, token: admin });
  return { tenantId, merchant, merchantUserId: userId };
}

/** Has the events of a new tenant sent to its own systems, from the first one on. */
async function openEndpoint(
  { urls, receiver }: Deployment,
  { tenantId, merchant: token }: Tenant,
): Promise<Shop['endpoint']> {
  const inbox = receiver.open(tenantId);
  const path = `/client/tenants/${tenantId}/webhook-endpoints`;
  const request = { method: 'POST', path, body: { url: inbox.url }, token };
  return Object.assign(inbox, await askFor(urls, Endpoint, request));
}

/** Longer than any history, and than the clocks of the processes are off. */
const TOKEN_LIFETIME_SECONDS = 86_400;
/** Longer than an API's clock is behind at most: it refuses tokens of the future. */
const ISSUED_SECONDS_AGO = 180;

/** Issues an access token, which must not come out of the service again. */
export async function issue(
  { issuer, secrets }: Deployment,
  claims: Record<string, unknown>,
): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const times = { iat: now - ISSUED_SECONDS_AGO, exp: now + TOKEN_LIFETIME_SECONDS };
  const token = await issuer.token({ ...times, ...claims });
  secrets.addToken(token);
  return token;
}

/** Signs somebody in, for the first time or again, with the contacts that the token carries. */
async function tokenOf(deployment: Deployment, sub: string, { email }: { email: string }) {
  deployment.secrets.addContact(sub, 'e-mail', email);
  const token = await issue(deployment, { sub, email, email_verified: true });
  await profileOf(deployment.urls, token);
  return token;
}

/** Reads who the service takes the owner of the token for. */
export function profileOf(
  urls: readonly string[],
  token: string,
): Promise<z.infer<typeof Profile>> {
  return askFor(urls, Profile, { path: '/auth/me', token });
}

/** Disconnects a tenant's active accounts of a provider, or all of them. */
export async function disconnectShop(
  { urls }: Deployment,
  { tenantId, merchant: token }: Tenant,
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
function createAddresses(mark: string, secrets: Secrets): Shop['addressOf'] {
  const known = new Map<string, string>();
  return (contact, kind) => {
    const made = known.get(`${kind} ${contact}`);
    if (made !== undefined) return made;
    const email = `${contact.replace('.', '-')}-${mark}@people.example`;
    const address = kind === 'email' ? email : `+1202${nextPhone++}`;
    known.set(`${kind} ${contact}`, address);
    const [person = ''] = contact.split('.');
    secrets.addContact(`${person}-${mark}`, kind === 'email' ? 'e-mail' : 'phone', address);
    return address;
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

/** What somebody of the shop is called in the history; undefined for others. */
export function nameOfUser({ people, erased }: Shop, userId: string): string | undefined {
  return [...people, ...erased].find(([, person]) => person.userId === userId)?.[0];
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
