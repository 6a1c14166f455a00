import { z } from 'zod';
import { askFor, askForAll, type Request } from './client.ts';
import type { Play } from './playing.ts';

const Entry = z.object({
  id: z.string(),
  entry_type: z.enum(['credit', 'debit']),
  points: z.int(),
  balanceAfter: z.int(),
  reason: z.string(),
  sourceType: z.string(),
  sourceId: z.string(),
});
const Code = z.object({
  id: z.string(),
  walletId: z.string(),
  status: z.enum(['issued', 'used', 'expired']),
  cancelled: z.boolean(),
  points: z.int(),
  discountValueMinorUnits: z.int(),
  currency: z.string(),
  reward: z.strictObject({ id: z.string(), name: z.string(), kind: z.string() }).nullable(),
});
const Rule = z.object({
  id: z.string(),
  version: z.int(),
  ruleConfig: z.object({ effectiveFrom: z.string() }),
});
const Connection = z.object({
  id: z.string(),
  posType: z.string(),
  status: z.string(),
  needsReconnectSince: z.string().nullable(),
});
const Wallet = z.object({ id: z.string(), tenantId: z.string(), userId: z.string() });

/** What is shown of a shop, by other readers than those with whom the model is compared. */
export type Shown = {
  /** By their ids, with those of people who were erased. */
  wallets: ReadonlyMap<string, { userId: string; entries: z.infer<typeof Entry>[] }>;
  codes: z.infer<typeof Code>[];
  rules: z.infer<typeof Rule>[];
  connections: z.infer<typeof Connection>[];
};

/** Reads what is shown, page by page. */
export async function shownOf(play: Play): Promise<Shown> {
  const { tenantId, merchant: token, admin, people, erased } = play.shop;
  const { urls } = play.deployment;
  const path = `/client/tenants/${tenantId}`;
  const owned = [...people.values(), ...erased.values()].map(async ({ userId }) => {
    const request = { path: `/admin/wallets?userId=${userId}`, token: admin };
    const all = await askFor(urls, z.array(Wallet), request);
    const own = all.filter((wallet) => wallet.tenantId === tenantId);
    return Promise.all(
      own.map(async ({ id }) => {
        const history = { path: `/admin/wallets/${id}/history`, token: admin };
        return [id, { userId, entries: await walk(play, Entry, history) }] as const;
      }),
    );
  });
  const [wallets, codes, rules, connections] = await Promise.all([
    Promise.all(owned),
    walk(play, Code, { path: `${path}/redemptions`, token }),
    walk(play, Rule, { path: `${path}/reward-rules`, token }),
    askFor(urls, z.array(Connection), { path: `${path}/pos-connections`, token }),
  ]);
  return { wallets: new Map(wallets.flat()), codes, rules, connections };
}

/** Reads a list whose path has no query, by pages of a size that is drawn. */
export function walk<T>(play: Play, item: z.ZodType<T>, { path, token }: Request): Promise<T[]> {
  const limit = play.chance.oneOf([4, 9, 30, 100]);
  return askForAll(play.deployment.urls, item, { path: `${path}?limit=${limit}`, token });
}
