import type { z } from 'zod';

/** Reads a merchant of a simulator. Throws when it has none of that id. */
export async function readMerchant<T extends { id: string }>(
  url: string,
  schema: z.ZodType<T[]>,
  merchantId: string,
): Promise<T> {
  const answer = await (await fetch(`${url}/_sim/merchants`)).json();
  const merchant = schema.parse(answer).find(({ id }) => id === merchantId);
  if (merchant === undefined) throw new Error(`The provider has no merchant ${merchantId}.`);
  return merchant;
}
