import type { Journal } from '../shared/journal.ts';
import { CommandRefused } from '../shared/refusal.ts';
import type { RestChaos } from '../shared/rest-chaos.ts';
import type { App } from './app.ts';
import type { Location, Merchant, SentEvent } from './model.ts';
import type { AlphaError } from './refusal.ts';
import type { AlphaStore } from './store.ts';
import type { Visibility } from './visibility.ts';

/** What every part of the simulator works on. */
export type World = {
  readonly store: AlphaStore;
  readonly journal: Journal;
  /** The provider's own clock. */
  readonly now: () => Date;
  /** The app that merchants connect to. */
  readonly app: App;
  readonly visibility: Visibility;
  readonly restChaos: RestChaos<AlphaError>;
  /** The event with the body that it is to be sent with. */
  readonly decorate: (event: SentEvent) => SentEvent;
  /** Delivers new events that are in the store, in the background. */
  readonly send: (events: readonly SentEvent[]) => void;
};

/** The merchant; throws a StoryRefusal when there is none under the id. */
export function merchantOf(world: World, merchantId: string): Merchant {
  const merchant = world.store.merchants.get(merchantId);
  if (merchant === undefined) throw new CommandRefused(`There is no merchant ${merchantId}.`);
  return merchant;
}

/** The merchant under the id, the first one when none is named; throws a StoryRefusal. */
export function merchantOrFirst(world: World, merchantId?: string): Merchant {
  const id = merchantId ?? [...world.store.merchants.keys()][0];
  if (id === undefined) throw new CommandRefused('There is no merchant yet: add one first.');
  return merchantOf(world, id);
}

/** The merchant's location, its main one when none is named; throws a StoryRefusal. */
export function locationOf(world: World, merchant: Merchant, locationId?: string): Location {
  const location = world.store.locations.get(locationId ?? merchant.mainLocationId);
  if (location === undefined || location.merchant_id !== merchant.id) {
    throw new CommandRefused(`Merchant ${merchant.id} has no location ${locationId}.`);
  }
  return location;
}
