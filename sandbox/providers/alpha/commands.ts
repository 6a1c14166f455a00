import { z } from 'zod';
import { RestFault } from '../shared/rest-faults.ts';
import { ring } from './sales.ts';
import { merchantOrFirst, type World } from './world.ts';

const amount = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const id = z.string().min(1).max(192);
const name = z.string().min(1).max(200);
const currency = z.string().regex(/^[A-Z]{3}$/);

// Commands accepted over HTTP, from JSON and from the page.

/** A sale; of the first merchant and its main location by default. */
export const SaleCommand = z.object({
  merchantId: id.optional(),
  locationId: id.optional(),
  amount,
  tip: amount.optional(),
  currency: currency.optional(),
  customerId: id.optional(),
  buyerEmail: z.string().max(255).optional(),
  note: z.string().max(500).optional(),
  source: z.enum(['CARD', 'CASH', 'EXTERNAL']).optional(),
  capture: z.enum(['at-once', 'later', 'declined']).default('at-once'),
  takenOfflineMinutesAgo: z.number().min(0).optional(),
});

/** A new location; in the United States by default. */
export const LocationCommand = z.object({
  id: id.optional(),
  name,
  country: z.string().length(2).optional(),
  currency: currency.optional(),
  timezone: z.string().optional(),
  inactive: z.boolean().optional(),
});

/** A new merchant; with one location by default. */
export const MerchantCommand = z.object({
  id: id.optional(),
  name,
  currency: currency.optional(),
  locations: z.array(LocationCommand).min(1).optional(),
});

/** A new customer; of the first merchant by default. */
export const CustomerCommand = z.object({
  merchantId: id.optional(),
  id: id.optional(),
  givenName: name.optional(),
  familyName: name.optional(),
  email: z.string().max(255).optional(),
  phone: z.string().max(64).optional(),
});

/** A fault of the REST API, with the provider's error code. */
export const RestFaultCommand = RestFault.extend({ code: z.string().min(1) });
export type RestFaultCommand = z.input<typeof RestFaultCommand>;
export type ScheduledFault = z.output<typeof RestFaultCommand>;

/** A refund or a tip, in minor units. */
export const AmountCommand = z.object({ amount });

/** Rings the sale at the named merchant, or at the first one. */
export function ringSale(world: World, command: z.output<typeof SaleCommand>) {
  return ring(world, { ...command, merchantId: merchantOrFirst(world, command.merchantId).id });
}
