import { z } from 'zod';
import { askFor, askForAll } from './client.ts';
import { type SaleView, sorted, type View, type WalletView } from './model/view.ts';
import { Contradiction } from './model.ts';
import type { Play } from './playing.ts';
import { profileOf } from './shop.ts';

const Wallets = z.array(
  z.object({
    id: z.string(),
    tenantId: z.string(),
    balance: z.int(),
    status: z.enum(['active', 'frozen']),
  }),
);
const Entry = z.object({
  entry_type: z.enum(['credit', 'debit']),
  points: z.int(),
  balanceAfter: z.int(),
  reason: z.string(),
  sourceId: z.string(),
});
const Transaction = z.object({
  id: z.string(),
  providerPaymentId: z.string(),
  outcome: z.string(),
  outcomeReason: z.string().nullable(),
  pointsAwarded: z.int(),
  refundedMinorUnits: z.int(),
  pointsReversed: z.int(),
  ruleVersion: z.int().nullable(),
  consumer: z.object({ userId: z.string() }).nullable(),
});
const Consumer = z.object({ userId: z.string(), balance: z.int(), status: z.string() });
const Overview = z.object({
  stats: z.object({ consumerCount: z.int(), transactionCount: z.int() }),
});
const Looked = z.object({ status: z.string() });
const Operator = z.object({ userId: z.string() });

type Transaction = z.infer<typeof Transaction>;

/** Everything that the service shows of the shop, as its people see it, in the history's names. */
export async function observe(play: Play): Promise<View> {
  const transactions = await transactionsOf(play);
  const nameOfSource = namesOfSources(play, transactions);
  const { wallets, roles, invited } = await walletsOf(play, nameOfSource);
  const team = { operators: await operatorsOf(play), invited };
  const codes = await codesOf(play);
  const counts = await countsOf(play);
  await expectSameForMerchant(play, wallets);
  const sales = transactions.map((each): [string, SaleView] => [
    nameOfSource.get(each.id) ?? each.id,
    saleOf(play, each),
  ]);
  return { wallets, roles, team, sales: sorted(sales), codes, counts };
}

/** The people of the history whom the merchant sees at the till. */
async function operatorsOf({ deployment, shop }: Play): Promise<string[]> {
  const path = `/client/tenants/${shop.tenantId}/store-operators?limit=100`;
  const request = { path, token: shop.merchant };
  const operators = await askForAll(deployment.urls, Operator, request);
  const userIds = new Set(operators.map(({ userId }) => userId));
  const shown = [...shop.people].filter(([, { userId }]) => userIds.has(userId));
  return shown.map(([person]) => person).sort();
}

function transactionsOf({ deployment, shop }: Play): Promise<Transaction[]> {
  const path = `/client/tenants/${shop.tenantId}/transactions?limit=100`;
  return askForAll(deployment.urls, Transaction, { path, token: shop.merchant });
}

/** The names of sales and codes by the ids that entries have as their sources. */
function namesOfSources(
  { shop }: Play,
  transactions: readonly Transaction[],
): ReadonlyMap<string, string> {
  const saleOfPayment = new Map([...shop.sales].map(([name, { id }]) => [id, name]));
  const sales = transactions.map(({ id, providerPaymentId }): [string, string] => [
    id,
    saleOfPayment.get(providerPaymentId) ?? `unknown ${providerPaymentId}`,
  ]);
  const codes = [...shop.codes].map(([name, { id }]): [string, string] => [id, name]);
  return new Map([...sales, ...codes]);
}

function saleOf({ shop }: Play, transaction: Transaction): SaleView {
  const { outcome, outcomeReason, consumer } = transaction;
  const person = [...shop.people].find(([, { userId }]) => userId === consumer?.userId)?.[0];
  return {
    outcome,
    person: person ?? consumer?.userId ?? null,
    points: transaction.pointsAwarded,
    refunded: transaction.refundedMinorUnits,
    reversed: transaction.pointsReversed,
    rule: transaction.ruleVersion,
    reason: outcome === 'credited' ? outcomeReason : null,
  };
}

/** The wallets with their histories, as consumers see them, their roles, and who sees an invite. */
async function walletsOf(play: Play, nameOfSource: ReadonlyMap<string, string>) {
  const { deployment, shop } = play;
  const wallets: [string, WalletView][] = [];
  const roles: [string, string][] = [];
  const invited: string[] = [];
  await Promise.all(
    [...shop.people].map(async ([person, { token }]) => {
      const { role, pendingInvites } = await profileOf(deployment.urls, token);
      roles.push([person, role]);
      if (pendingInvites.some(({ tenantId }) => tenantId === shop.tenantId)) invited.push(person);
      const all = await askFor(deployment.urls, Wallets, { path: '/consumer/wallets', token });
      const wallet = all.find(({ tenantId }) => tenantId === shop.tenantId);
      if (wallet === undefined) return;
      const path = `/consumer/wallets/${wallet.id}/history?limit=100`;
      const entries = await askForAll(deployment.urls, Entry, { path, token });
      const { balance, status } = wallet;
      const sums = sumsOf(entries, nameOfSource);
      wallets.push([person, { balance, status, entries: sums }]);
    }),
  );
  return { wallets: sorted(wallets), roles: sorted(roles), invited: invited.sort() };
}

function sumsOf(
  entries: readonly z.infer<typeof Entry>[],
  nameOfSource: ReadonlyMap<string, string>,
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { entry_type, points, reason, sourceId } of entries) {
    const isAdjustment = reason === 'admin_adjustment';
    const key = isAdjustment ? reason : `${reason} ${nameOfSource.get(sourceId) ?? sourceId}`;
    sums[key] = (sums[key] ?? 0) + (entry_type === 'credit' ? points : -points);
  }
  return sorted(Object.entries(sums).filter(([, points]) => points !== 0));
}

async function codesOf({ deployment, shop }: Play): Promise<Record<string, string>> {
  const looked = [...shop.codes].map(async ([name, { text }]): Promise<[string, string]> => {
    const { status } = await askFor(deployment.urls, Looked, {
      method: 'POST',
      path: '/pos/redemptions/lookup',
      body: { code: text },
      token: shop.operator,
    });
    return [name, status];
  });
  return sorted(await Promise.all(looked));
}

/** The counts of the overview, which an administrator must see as the merchant does. */
async function countsOf({ deployment, shop }: Play): Promise<View['counts']> {
  const { urls } = deployment;
  const own = { path: `/client/tenants/${shop.tenantId}`, token: shop.merchant };
  const { stats } = await askFor(urls, Overview, own);
  const detail = { path: `/admin/tenants/${shop.tenantId}`, token: shop.admin };
  const { stats: admin } = await askFor(urls, Overview, detail);
  if (JSON.stringify(stats) !== JSON.stringify(admin)) {
    throw new Unsteady(`The merchant is shown ${JSON.stringify(stats)}, the admin otherwise.`);
  }
  return { consumers: stats.consumerCount, transactions: stats.transactionCount };
}

/** The merchant's list of consumers must say what the consumers' own wallets do. */
async function expectSameForMerchant(play: Play, wallets: View['wallets']): Promise<void> {
  const { deployment, shop } = play;
  const path = `/client/tenants/${shop.tenantId}/consumers?limit=100`;
  const request = { path, token: shop.merchant };
  const consumers = await askForAll(deployment.urls, Consumer, request);
  for (const [person, { balance, status }] of Object.entries(wallets)) {
    const { userId } = shop.people.get(person) ?? {};
    const shown = consumers.find((consumer) => consumer.userId === userId);
    if (shown?.balance === balance && shown.status === status) continue;
    throw new Unsteady(`The merchant is shown ${shown?.balance} points of ${person}: ${balance}.`);
  }
}

/** Two readers were shown different things: a defect, unless points moved in between. */
export class Unsteady extends Contradiction {}
