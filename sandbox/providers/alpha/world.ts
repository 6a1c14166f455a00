import type { Journal } from '../shared/journal.ts';
import { CommandRefused } from '../shared/refusal.ts';
import type { RestChaos } from '../shared/rest-chaos.ts';
import type { App } from './app.ts';
import type { Location, Merchant, SentEvent } from './model.ts';
import type { AlphaError } from './refusal.ts';
import type { AlphaStore } from './store.ts';
import type { Visibility } from './visibility.ts';

/** The state and the services that all parts of the simulator share. */
export type World = {
  readonly store: AlphaStore;
  readonly journal: Journal;
  /** The provider's clock. */
  readonly now: () => Date;
  /** The app that merchants connect to. */
  readonly app: App;
  readonly visibility: Visibility;
  readonly restChaos: RestChaos<AlphaError>;
  /** Applies the scheduled faults of the body to the event. */
  readonly decorate: (event: SentEvent) => SentEvent;
  /** Where people see what the service made of a payment, if there is such a page. */
  readonly outcomeUrl: ((paymentId: string) => string) | undefined;
  /** Delivers new events in the background; they must already be in the store. */
  readonly send: (events: readonly SentEvent[]) => void;
};

/** Returns the merchant; throws a CommandRefused when the id is unknown. */
export function merchantOf(world: World, merchantId: string): Merchant {
  const merchant = world.store.merchants.get(merchantId);
  if (merchant === undefined) throw new CommandRefused(`There is no merchant ${merchantId}.`);
  return merchant;
}

/** Returns the merchant, or the first one when no id is given; throws a CommandRefused. */
export function merchantOrFirst(world: World, merchantId?: string): Merchant {
  const id = merchantId ?? [...world.store.merchants.keys()][0];
  if (id === undefined) throw new CommandRefused('There is no merchant yet: add one first.');
  return merchantOf(world, id);
}

/** Returns the merchant's location, by default its main one; throws a CommandRefused. */
export function locationOf(world: World, merchant: Merchant, locationId?: string): Location {
  const location = world.store.locations.get(locationId ?? merchant.mainLocationId);
  if (location === undefined || location.merchant_id !== merchant.id) {
    throw new CommandRefused(`Merchant ${merchant.id} has no location ${locationId}.`);
  }
  return location;
}
