import { z } from 'zod';
import { askFor, askForAll } from './client.ts';
import { TILL } from './model/state.ts';
import { type CodeView, sorted, type View } from './model/view.ts';
import type { Play } from './playing.ts';
import { nameOfUser } from './shop.ts';
import { Unsteady } from './unsteady.ts';

const Worth = {
  points: z.int(),
  discountValueMinorUnits: z.int(),
  currency: z.literal('USD'),
  reward: z.object({ kind: z.enum(['amount', 'item']) }).nullable(),
};
type Worth = z.infer<z.ZodObject<typeof Worth>>;
const Status = { status: z.enum(['issued', 'used', 'expired']), cancelled: z.boolean() };
const Looked = z.object({ ...Worth, ...Status });
const Own = z.object({
  ...Looked.shape,
  id: z.string(),
  tenant: z.object({ id: z.string() }),
  code: z.string().nullable(),
});
const User = z.object({ userId: z.string() });
const OfShop = z.object({
  ...Looked.shape,
  id: z.string(),
  consumer: User,
  usedBy: User.nullable(),
});
const Used = z.object({ ...Worth, id: z.string(), usedBy: User });

const STATUSES = ['issued', 'used', 'expired'] as const;

/**
 * The codes as their merchant is shown them, after comparing that with what their consumers and the
 * till are shown. Throws an Unsteady when they differ.
 */
export async function codesOf(play: Play): Promise<View['codes']> {
  const [ofShop, looked, own, used] = await Promise.all([
    shownToMerchant(play),
    shownAtTill(play),
    shownToConsumers(play),
    listedAtTill(play),
  ]);
  const expectSame = (
    who: string,
    shown: Record<string, string>,
    part: (of: CodeView) => string,
  ) => {
    const merchants = sorted(Object.entries(ofShop).map(([name, view]) => [name, part(view)]));
    const expected = Object.entries(merchants).filter(([, text]) => text !== '');
    if (JSON.stringify(shown) === JSON.stringify(Object.fromEntries(expected))) return;
    throw new Unsteady(`${who} shown ${JSON.stringify(shown)}, the merchant otherwise.`);
  };
  expectSame('By its code the till is', looked, textOf);
  expectSame('Consumers are', own, (view) =>
    play.shop.erased.has(view.person) ? '' : `${view.person}: ${textOf(view)}`,
  );
  expectSame('In its list the till is', used, ({ usedBy, points }) =>
    usedBy === null ? '' : `${points} by ${usedBy}`,
  );
  return ofShop;
}

function textOf({ points, status, isCancelled }: CodeView): string {
  return shownAs({ points, status, cancelled: isCancelled });
}

function shownAs(code: { points: number; status: string; cancelled: boolean }): string {
  return `${code.points} ${code.status}${code.cancelled ? ', cancelled' : ''}`;
}

/** Every status is a list of its own, which together have to be all. */
async function shownToMerchant({ deployment, shop }: Play): Promise<Record<string, CodeView>> {
  const path = `/client/tenants/${shop.tenantId}/redemptions?limit=100`;
  const lists = STATUSES.map((status) => {
    const request = { path: `${path}&status=${status}`, token: shop.merchant };
    return askForAll(deployment.urls, OfShop, request);
  });
  const views = (await Promise.all(lists)).flat().map((each): [string, CodeView] => [
    nameOf(shop, each.id),
    {
      person: personOf(shop, each.consumer.userId),
      points: worthOf(each),
      status: each.status,
      isCancelled: each.cancelled,
      usedBy: each.usedBy && personOf(shop, each.usedBy.userId),
    },
  ]);
  return sorted(views);
}

async function shownAtTill({ deployment, shop }: Play): Promise<Record<string, string>> {
  const looked = [...shop.codes].map(async ([name, { text }]): Promise<[string, string]> => {
    const found = await askFor(deployment.urls, Looked, {
      method: 'POST',
      path: '/pos/redemptions/lookup',
      body: { code: text },
      token: shop.operator,
    });
    worthOf(found);
    return [name, shownAs(found)];
  });
  return sorted(await Promise.all(looked));
}

async function shownToConsumers({ deployment, shop }: Play): Promise<Record<string, string>> {
  const lists = [...shop.people].map(async ([person, { token }]) => {
    const request = { path: '/consumer/redemptions?limit=100', token };
    const own = await askForAll(deployment.urls, Own, request);
    return own.map((each): [string, string] => {
      const name = nameOf(shop, each.id);
      worthOf(each);
      // The code itself is shown for as long as it can be used.
      const code = each.status === 'issued' ? shop.codes.get(name)?.text : null;
      const isRight = each.code === code && each.tenant.id === shop.tenantId;
      return [name, `${person}: ${shownAs(each)}${isRight ? '' : ', wrong code or shop'}`];
    });
  });
  return sorted((await Promise.all(lists)).flat());
}

async function listedAtTill({ deployment, shop }: Play): Promise<Record<string, string>> {
  const request = { path: '/pos/redemptions?limit=100', token: shop.operator };
  const used = await askForAll(deployment.urls, Used, request);
  return sorted(
    used.map((each) => [
      nameOf(shop, each.id),
      `${worthOf(each)} by ${personOf(shop, each.usedBy.userId)}`,
    ]),
  );
}

/** The points of a code, each of which is worth one minor unit, or all of them an item. */
function worthOf({ points, discountValueMinorUnits, reward }: Worth): number {
  if (discountValueMinorUnits === (reward?.kind === 'item' ? 0 : points)) return points;
  throw new Unsteady(`${points} points are said to be worth ${discountValueMinorUnits}.`);
}

function nameOf({ codes }: Play['shop'], redemptionId: string): string {
  return [...codes].find(([, { id }]) => id === redemptionId)?.[0] ?? redemptionId;
}

function personOf(shop: Play['shop'], id: string): string {
  if (id === shop.operatorUserId) return TILL;
  return nameOfUser(shop, id) ?? id;
}
