import type { Journal } from './journal.ts';
import type { Location, Merchant, SentEvent } from './model.ts';
import { StoryRefusal } from './refusal.ts';
import type { AlphaStore } from './store.ts';

/** What every part of the simulator works on. */
export type World = {
  readonly store: AlphaStore;
  readonly journal: Journal;
  readonly now: () => Date;
  /** Delivers events that are in the store, in the background. */
  readonly send: (events: readonly SentEvent[]) => void;
};

/** The merchant; throws a StoryRefusal when there is none under the id. */
export function merchantOf(world: World, merchantId: string): Merchant {
  const merchant = world.store.merchants.get(merchantId);
  if (merchant === undefined) throw new StoryRefusal(`There is no merchant ${merchantId}.`);
  return merchant;
}

/** The merchant's location, its main one when none is named; throws a StoryRefusal. */
export function locationOf(world: World, merchant: Merchant, locationId?: string): Location {
  const location = world.store.locations.get(locationId ?? merchant.mainLocationId);
  if (location === undefined || location.merchant_id !== merchant.id) {
    throw new StoryRefusal(`Merchant ${merchant.id} has no location ${locationId}.`);
  }
  return location;
}
