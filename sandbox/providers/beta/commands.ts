import { z } from 'zod';
import { CommandRefused } from '../shared/refusal.ts';
import { RESULTS } from './model.ts';
import type { World } from './world.ts';

const amount = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const currency = z.string().regex(/^[A-Z]{3}$/);
const contacts = z.array(z.string().min(1).max(255));

// Commands accepted over HTTP, from JSON and from the page.

export const SaleCommand = z.object({
  merchantId: z.string().exactOptional(),
  amount,
  tip: amount.exactOptional(),
  tax: amount.exactOptional(),
  currency: currency.exactOptional(),
  customerId: z.string().exactOptional(),
  orderId: z.string().exactOptional(),
  withoutOrder: z.boolean().exactOptional(),
  offlineMinutes: z.number().min(0).exactOptional(),
  result: z.enum(RESULTS).exactOptional(),
});
export const MerchantCommand = z.object({
  id: z.string().min(1).exactOptional(),
  name: z.string().min(1),
  currency: currency.exactOptional(),
});
export const CustomerCommand = z.object({
  merchantId: z.string().exactOptional(),
  firstName: z.string().exactOptional(),
  lastName: z.string().exactOptional(),
  emails: contacts.exactOptional(),
  phones: contacts.exactOptional(),
});
export const AttachCommand = z.object({ customerId: z.string() });
export const SettleCommand = z.object({ result: z.enum(['SUCCESS', 'FAIL']) });
export const TipCommand = z.object({ amount });
export const RefundCommand = z.object({ amount: amount.optional() });
export const VoidCommand = z.object({ reason: z.string().min(1).optional() });
/** How messages are merged from now on; not at all when absent. */
export const BatchingCommand = z.object({
  batching: z
    .object({
      windowMs: z.number().min(0),
      acrossMerchants: z.boolean().optional(),
      reversed: z.boolean().optional(),
    })
    .optional(),
});
/** The merchant id that callbacks carry instead of the true one; null leaves it out. */
export const ClaimCommand = z.object({ merchantId: z.string().nullable().optional() });
/** Returns the command with its merchant, by default the first one. */
export function withMerchant<T extends { merchantId?: string }>(
  world: World,
  command: T,
): T & { merchantId: string } {
  const [first] = world.store.merchants.keys();
  const merchantId = command.merchantId ?? first;
  if (merchantId === undefined)
    throw new CommandRefused('There is no merchant yet: add one first.');
  return { ...command, merchantId };
}
