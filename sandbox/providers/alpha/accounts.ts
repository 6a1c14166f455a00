import { requireUnused } from '../shared/checks.ts';
import { CommandRefused } from '../shared/refusal.ts';
import type { Customer, Location, Merchant } from './model.ts';
import { merchantOf, type World } from './world.ts';

export type NewLocation = {
  id?: string | undefined;
  name: string;
  country?: string | undefined;
  currency?: string | undefined;
  timezone?: string | undefined;
  inactive?: boolean | undefined;
};
export type NewMerchant = {
  id?: string | undefined;
  name: string;
  /** By default that of the main location. */
  currency?: string | undefined;
  locations?: readonly NewLocation[] | undefined;
};
export type NewCustomer = {
  merchantId: string;
  id?: string | undefined;
  givenName?: string | undefined;
  familyName?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
};

/** Adds a merchant with its locations, one by default; the first is the main location. */
export function addMerchant(world: World, wanted: NewMerchant): Merchant {
  const { store } = world;
  const merchantId = requireUnused(wanted.id ?? store.random.id('ML', 11), store.merchants);
  const wantedLocations = wanted.locations ?? [{ name: wanted.name }];
  const locations = wantedLocations.map((location) => newLocation(world, merchantId, location));
  const [main] = locations;
  if (main === undefined) throw new CommandRefused('A merchant needs at least one location.');

  const merchant = {
    id: merchantId,
    name: wanted.name,
    mainLocationId: main.id,
    currency: wanted.currency ?? main.currency,
  };
  store.write(
    { kind: 'merchant', value: merchant },
    ...locations.map((value) => ({ kind: 'location' as const, value })),
  );
  return merchant;
}

/** Adds a location to the merchant. */
export function addLocation(world: World, merchantId: string, wanted: NewLocation): Location {
  const location = newLocation(world, merchantOf(world, merchantId).id, wanted);
  world.store.write({ kind: 'location', value: location });
  return location;
}

/** Adds a customer to the merchant; a customer without contacts is an instant profile. */
export function addCustomer(world: World, wanted: NewCustomer): Customer {
  const { store } = world;
  merchantOf(world, wanted.merchantId);
  const now = world.now().toISOString();
  const hasContact = wanted.email !== undefined || wanted.phone !== undefined;
  const customer: Customer = {
    id: requireUnused(wanted.id ?? store.random.id('', 26), store.customers),
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

/** Merges a customer into another of the same merchant: its id then returns the other one. */
export function mergeCustomers(world: World, from: string, into: string): void {
  const { store } = world;
  const gone = store.customer(from);
  const kept = store.customer(into);
  if (gone === undefined || kept === undefined || gone.merchantId !== kept.merchantId) {
    throw new CommandRefused(`${from} and ${into} are not two customers of one merchant.`);
  }
  if (gone.value.id === kept.value.id) return;
  store.write({ kind: 'merge', from: gone.value.id, into: kept.value.id });
}

function newLocation(world: World, merchantId: string, wanted: NewLocation): Location {
  const { store } = world;
  return {
    id: requireUnused(wanted.id ?? store.random.id('L', 12), store.locations),
    merchant_id: merchantId,
    name: wanted.name,
    status: wanted.inactive ? 'INACTIVE' : 'ACTIVE',
    country: wanted.country ?? 'US',
    currency: wanted.currency ?? 'USD',
    timezone: wanted.timezone ?? 'America/New_York',
    created_at: world.now().toISOString(),
  };
}
