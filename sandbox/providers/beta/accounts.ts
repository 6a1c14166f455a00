import { randomBytes } from 'node:crypto';
import { requireUnused } from '../shared/checks.ts';
import { CommandRefused } from '../shared/refusal.ts';
import { type Customer, type Merchant, PERMISSIONS, type Permission, type Token } from './model.ts';
import { newUpdate, publish } from './publish.ts';
import { merchantOf, type World } from './world.ts';

const YEAR_SECONDS = 365 * 24 * 3600;
const SHORT_SECONDS = 30 * 60;
const REFRESH_SECONDS = 30 * 24 * 3600;
const ID_LENGTH = 13;

export type NewMerchant = { id?: string; name: string; currency?: string };
export type NewCustomer = {
  merchantId: string;
  id?: string;
  firstName?: string;
  lastName?: string;
  /** The first one is primary, unless `primaryEmail` names another. */
  emails?: readonly string[];
  primaryEmail?: string;
  /** In any format, as an operator would type them. */
  phones?: readonly string[];
};
export type TokenOptions = {
  permissions?: readonly Permission[];
  /** By default half an hour with a refresh token, a year without one. */
  livesSeconds?: number;
  /** Adds a refresh token, valid once and for 30 days, as the newer flow does. */
  refreshable?: boolean;
};

/** Returns a new id in the provider's form, 13 letters and digits. */
export function newId(world: World): string {
  return world.store.random.id('', ID_LENGTH);
}

/** Adds a merchant, in USD by default. */
export function addMerchant(world: World, wanted: NewMerchant): Merchant {
  const { store } = world;
  const merchant: Merchant = {
    id: requireUnused(wanted.id ?? newId(world), store.merchants),
    name: wanted.name,
    currency: wanted.currency ?? 'USD',
    ownerId: newId(world),
    deviceId: store.random.uuid(),
    tenderId: newId(world),
    createdTime: world.now().getTime(),
  };
  store.write({ kind: 'merchant', value: merchant });
  return merchant;
}

/** Adds a customer to the merchant; sends `C:CREATE` if the app subscribes to it. */
export function addCustomer(world: World, wanted: NewCustomer): Customer {
  const { store } = world;
  merchantOf(world, wanted.merchantId);
  const { emails = [], phones = [], primaryEmail = emails[0] } = wanted;
  if (primaryEmail !== undefined && !emails.includes(primaryEmail)) {
    throw new CommandRefused("The primary e-mail is not one of the customer's e-mails.");
  }
  const customer: Customer = {
    id: requireUnused(wanted.id ?? newId(world), store.customers),
    merchantId: wanted.merchantId,
    ...(wanted.firstName !== undefined && { firstName: wanted.firstName }),
    ...(wanted.lastName !== undefined && { lastName: wanted.lastName }),
    emails: emails.map((emailAddress) => ({
      id: newId(world),
      emailAddress,
      primaryEmail: emailAddress === primaryEmail,
    })),
    phones: phones.map((phoneNumber) => ({ id: newId(world), phoneNumber })),
    customerSince: world.now().getTime(),
  };
  publish(
    world,
    customer.merchantId,
    [{ kind: 'customer', value: customer }],
    [newUpdate(world, 'CREATE', 'C', customer.id)],
  );
  return customer;
}

/** Builds a token for the merchant's data, not stored yet; by default with all permissions. */
export function newToken(world: World, merchantId: string, options: TokenOptions = {}): Token {
  merchantOf(world, merchantId);
  const nowMs = world.now().getTime();
  const { refreshable = false } = options;
  const livesSeconds = options.livesSeconds ?? (refreshable ? SHORT_SECONDS : YEAR_SECONDS);
  // Unlike all ids this must not be repeatable, since it gives access to the API.
  const secret = () => randomBytes(24).toString('base64url');
  return {
    accessToken: `beta-access-${secret()}`,
    merchantId,
    permissions: [...(options.permissions ?? PERMISSIONS)],
    expiresAt: nowMs + livesSeconds * 1000,
    revoked: false,
    ...(refreshable && {
      refresh: { token: `beta-refresh-${secret()}`, expiresAt: nowMs + REFRESH_SECONDS * 1000 },
    }),
  };
}

/** Installs the app at the merchant; from then on the merchant's updates are sent. */
export function issueToken(world: World, merchantId: string, options: TokenOptions = {}): Token {
  const token = newToken(world, merchantId, options);
  world.store.write({ kind: 'token', value: token });
  return token;
}

/** Uninstalls the app at the merchant and revokes its tokens; sends `A:DELETE`. */
export function uninstall(world: World, merchantId: string): void {
  const gone = [...world.store.tokens.values()]
    .filter((token) => token.merchantId === merchantId && !token.revoked)
    .map((token) => ({ kind: 'token' as const, value: { ...token, revoked: true } }));
  if (gone.length === 0) return;
  publish(world, merchantId, gone, [newUpdate(world, 'DELETE', 'A', world.appId)]);
}
