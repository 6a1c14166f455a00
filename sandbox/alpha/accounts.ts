import { randomBytes } from 'node:crypto';
import { type Customer, type Location, type Merchant, SCOPES, type Token } from './model.ts';
import { StoryRefusal } from './refusal.ts';
import { merchantOf, type World } from './world.ts';

const TOKEN_DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;

type NewLocation = {
  id?: string;
  name: string;
  country?: string;
  currency?: string;
  timezone?: string;
  inactive?: boolean;
};
export type NewMerchant = { id?: string; name: string; locations?: readonly NewLocation[] };
export type NewCustomer = {
  merchantId: string;
  id?: string;
  givenName?: string;
  familyName?: string;
  email?: string;
  phone?: string;
};
export type IssuedToken = { accessToken: string; refreshToken: string; expiresAt: Date };

/** Opens a merchant account with its locations, the first being the main one; one by default. */
export function addMerchant(world: World, wanted: NewMerchant): Merchant {
  const { store } = world;
  const merchantId = unused(wanted.id ?? store.random.id('ML', 11), store.merchants);
  const wantedLocations = wanted.locations ?? [{ name: wanted.name }];
  const locations = wantedLocations.map((location): Location => {
    return {
      id: unused(location.id ?? store.random.id('L', 12), store.locations),
      merchant_id: merchantId,
      name: location.name,
      status: location.inactive ? 'INACTIVE' : 'ACTIVE',
      country: location.country ?? 'US',
      currency: location.currency ?? 'USD',
      timezone: location.timezone ?? 'America/New_York',
      created_at: world.now().toISOString(),
    };
  });
  const [main] = locations;
  if (main === undefined) throw new StoryRefusal('A merchant needs at least one location.');

  const merchant = { id: merchantId, name: wanted.name, mainLocationId: main.id };
  store.write(
    { kind: 'merchant', value: merchant },
    ...locations.map((value) => ({ kind: 'location' as const, value })),
  );
  return merchant;
}

/** Adds a customer to the merchant's directory; one without contacts is an instant profile. */
export function addCustomer(world: World, wanted: NewCustomer): Customer {
  const { store } = world;
  merchantOf(world, wanted.merchantId);
  const now = world.now().toISOString();
  const hasContact = wanted.email !== undefined || wanted.phone !== undefined;
  const customer: Customer = {
    id: unused(wanted.id ?? store.random.id('', 26), store.customers),
    created_at: now,
    updated_at: now,
    ...(wanted.givenName !== undefined && { given_name: wanted.givenName }),
    ...(wanted.familyName !== undefined && { family_name: wanted.familyName }),
    ...(wanted.email !== undefined && { email_address: wanted.email }),
    ...(wanted.phone !== undefined && { phone_number: wanted.phone }),
    creation_source: hasContact ? 'DIRECTORY' : 'INSTANT_PROFILE',
    version: 0,
  };
  store.write({ kind: 'customer', merchantId: wanted.merchantId, value: customer });
  return customer;
}

/** Merges a customer into another one of the same merchant: its id then answers with the other. */
export function mergeCustomers(world: World, from: string, into: string): void {
  const { store } = world;
  const gone = store.customer(from);
  const kept = store.customer(into);
  if (gone === undefined || kept === undefined || gone.merchantId !== kept.merchantId) {
    throw new StoryRefusal(`${from} and ${into} are not two customers of one merchant.`);
  }
  if (gone.value.id === kept.value.id) return;
  store.write({ kind: 'merge', from: gone.value.id, into: kept.value.id });
}

/** Gives the merchant's consent: a token pair for 30 days and all scopes, unless told otherwise. */
export function issueToken(
  world: World,
  merchantId: string,
  wish: { scopes?: readonly string[]; livesSeconds?: number } = {},
): IssuedToken {
  merchantOf(world, merchantId);
  const livesMs = wish.livesSeconds === undefined ? TOKEN_DAYS * DAY_MS : wish.livesSeconds * 1000;
  const expiresAt = new Date(world.now().getTime() + livesMs);
  // The one thing here that must not be repeatable: it opens the API.
  const secret = () => randomBytes(24).toString('base64url');
  const token: Token = {
    accessToken: `alpha-access-${secret()}`,
    refreshToken: `alpha-refresh-${secret()}`,
    merchantId,
    scopes: [...(wish.scopes ?? SCOPES)],
    expiresAt: expiresAt.toISOString(),
    revoked: false,
  };
  world.store.write({ kind: 'token', value: token });
  return { accessToken: token.accessToken, refreshToken: token.refreshToken, expiresAt };
}

/** Withdraws the merchant's consent: its tokens stop working, and its events stop coming. */
export function revokeTokens(world: World, merchantId: string): void {
  const tokens = [...world.store.tokens.values()].filter(
    (token) => token.merchantId === merchantId,
  );
  world.store.write(
    ...tokens.map((token) => ({ kind: 'token' as const, value: { ...token, revoked: true } })),
  );
}

function unused(id: string, taken: ReadonlyMap<string, unknown>): string {
  if (taken.has(id)) throw new StoryRefusal(`The id ${id} is taken.`);
  return id;
}
