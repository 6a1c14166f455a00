import { z } from 'zod';
import { askFor, askForAll } from './client.ts';
import {
  type ErasedView,
  type SaleView,
  type StatisticsView,
  sorted,
  type View,
  type WalletView,
} from './model/view.ts';
import { codesOf } from './observe-codes.ts';
import { owedOf, ownTierOf, tierAwardsOf } from './observe-programme.ts';
import type { Play } from './playing.ts';
import { nameOfUser, profileOf } from './shop.ts';
import { Unsteady } from './unsteady.ts';

const Wallets = z.array(
  z.object({
    id: z.string(),
    tenantId: z.string(),
    balance: z.int(),
    pending: z.int(),
    available: z.int(),
    owed: z.int(),
    status: z.enum(['active', 'frozen']),
    currency: z.literal('USD'),
    worthMinorUnits: z.int(),
    redeemable: z.object({ min: z.int(), max: z.int() }),
    earning: z.object({ conversionRate: z.number(), minSpendMinorUnits: z.int() }).nullable(),
  }),
);
const Entry = z.object({
  entry_type: z.enum(['credit', 'debit']),
  points: z.int(),
  balanceAfter: z.int(),
  reason: z.string(),
  sourceId: z.string(),
});
const Validity = z.object({ points: z.array(z.object({ points: z.int().positive() })) });
const Transaction = z.object({
  id: z.string(),
  providerPaymentId: z.string(),
  outcome: z.string(),
  outcomeReason: z.string().nullable(),
  pointsAwarded: z.int(),
  refundedMinorUnits: z.int(),
  pointsReversed: z.int(),
  pointsOwed: z.int(),
  ruleVersion: z.int().nullable(),
  consumer: z.object({ userId: z.string() }).nullable(),
});
const Consumer = z.object({ userId: z.string(), balance: z.int(), status: z.string() });
const Overview = z.object({
  stats: z.object({ consumerCount: z.int(), transactionCount: z.int() }),
});
const Operator = z.object({ userId: z.string() });
const Sold = z.object({ count: z.int(), amountMinorUnits: z.int() });
const Interval = z.object({
  sales: Sold,
  matched: Sold,
  pointsEarned: z.int(),
  pointsReversed: z.int(),
  pointsRedeemed: z.int(),
  pointsUsed: z.int(),
  pointsReturned: z.int(),
});
const Statistics = z.object({
  intervals: z.array(Interval),
  pointsOutstanding: z.int(),
  liabilityMinorUnits: z.int(),
  pointsOwed: z.int(),
});

type Transaction = z.infer<typeof Transaction>;

/** Everything that the service shows of the shop, as its people see it, in the history's names. */
export async function observe(play: Play): Promise<View> {
  const transactions = await transactionsOf(play);
  const nameOfSource = namesOfSources(play, transactions);
  const { wallets, roles, invited } = await walletsOf(play, nameOfSource);
  const erased = await erasedOf(play, nameOfSource);
  const team = { operators: await operatorsOf(play), invited };
  const codes = await codesOf(play);
  const counts = await countsOf(play);
  const statistics = await statisticsOf(play);
  await expectSameForMerchant(play, wallets);
  const awards = await tierAwardsOf(play, transactions);
  const sales = transactions.map((each): [string, SaleView] => [
    nameOfSource.get(each.id) ?? each.id,
    { ...saleOf(play, each), tier: awards.get(each.id) ?? null },
  ]);
  const offered = { campaigns: await campaignsOf(play), rewards: await rewardsOf(play) };
  const shown = { wallets, erased, roles, team, sales: sorted(sales), codes, counts, statistics };
  return { ...shown, ...offered, owed: await owedOf(play) };
}

const Given = z.object({ id: z.string(), spentPoints: z.int(), awards: z.int() });

/** What the merchant's campaigns have given, in the order in which they were published. */
async function campaignsOf({ deployment, shop }: Play): Promise<View['campaigns']> {
  const path = `/client/tenants/${shop.tenantId}/campaigns?limit=100`;
  const given = await askForAll(deployment.urls, Given, { path, token: shop.merchant });
  return given.toReversed().map(({ spentPoints, awards }) => ({ spent: spentPoints, awards }));
}

const Taken = z.object({ taken: z.int() });

/** How many of each reward are taken, in the order in which they were published. */
async function rewardsOf({ deployment, shop }: Play): Promise<number[]> {
  const path = `/client/tenants/${shop.tenantId}/rewards?limit=100`;
  const rewards = await askForAll(deployment.urls, Taken, { path, token: shop.merchant });
  return rewards.toReversed().map(({ taken }) => taken);
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

function saleOf({ shop }: Play, transaction: Transaction): Omit<SaleView, 'tier'> {
  const { outcome, outcomeReason, consumer } = transaction;
  return {
    outcome,
    person: consumer && (nameOfUser(shop, consumer.userId) ?? consumer.userId),
    points: transaction.pointsAwarded,
    refunded: transaction.refundedMinorUnits,
    reversed: transaction.pointsReversed,
    owed: transaction.pointsOwed,
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
      const sums = sumsOf(entries, nameOfSource);
      const { points } = await askFor(deployment.urls, Validity, {
        path: `/consumer/wallets/${wallet.id}/validity`,
        token,
      });
      const valid = points.reduce((sum, each) => sum + each.points, 0);
      const own = await ownTierOf(play, { id: wallet.id, token });
      wallets.push([person, walletOf(wallet, { valid, ...own }, sums)]);
    }),
  );
  return { wallets: sorted(wallets), roles: sorted(roles), invited: invited.sort() };
}

/** What is left of the wallets of those who were erased, as administrators see it. */
async function erasedOf(
  { deployment: { urls }, shop }: Play,
  nameOfSource: ReadonlyMap<string, string>,
): Promise<View['erased']> {
  const { admin: token, tenantId } = shop;
  const left = [...shop.erased].map(async ([ghost, { userId }]) => {
    const all = await askFor(urls, Wallets, { path: `/admin/wallets?userId=${userId}`, token });
    const own = all.filter((wallet) => wallet.tenantId === tenantId);
    return Promise.all(
      own.map(async ({ id, balance, owed, status }): Promise<[string, ErasedView]> => {
        const path = `/admin/wallets/${id}/history?limit=100`;
        const entries = await askForAll(urls, Entry, { path, token });
        return [ghost, { balance, owed, status, entries: sumsOf(entries, nameOfSource) }];
      }),
    );
  });
  return sorted((await Promise.all(left)).flat());
}

function walletOf(
  wallet: z.infer<typeof Wallets>[number],
  own: Pick<WalletView, 'valid' | 'tier' | 'qualifying'>,
  entries: WalletView['entries'],
): WalletView {
  const { balance, pending, available, owed, status, redeemable, earning } = wallet;
  return {
    balance,
    pending,
    available,
    owed,
    status,
    worth: wallet.worthMinorUnits,
    redeemable: { min: redeemable.min, max: redeemable.max },
    earning: earning && { rate: earning.conversionRate, minSpend: earning.minSpendMinorUnits },
    ...own,
    entries,
  };
}

function sumsOf(
  entries: readonly z.infer<typeof Entry>[],
  nameOfSource: ReadonlyMap<string, string>,
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { entry_type, points, reason, sourceId } of entries) {
    const isByReason = reason === 'admin_adjustment' || reason === 'points_expired';
    const key = isByReason ? reason : `${reason} ${nameOfSource.get(sourceId) ?? sourceId}`;
    sums[key] = (sums[key] ?? 0) + (entry_type === 'credit' ? points : -points);
  }
  return sorted(Object.entries(sums).filter(([, points]) => points !== 0));
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

/** Longer than the clocks of providers are off, and than the time of codes is moved. */
const DAY_MS = 86_400_000;

/** What the statistics sum up over all intervals. */
async function statisticsOf({ deployment, shop }: Play): Promise<StatisticsView> {
  const [from, to] = [-DAY_MS, DAY_MS].map((ms) => new Date(shop.openedAt + ms).toISOString());
  const path = `/client/tenants/${shop.tenantId}/statistics?from=${from}&to=${to}`;
  const request = { path, token: shop.merchant };
  const shown = await askFor(deployment.urls, Statistics, request);
  const sumOf = (part: (of: z.infer<typeof Interval>) => number) =>
    shown.intervals.reduce((sum, interval) => sum + part(interval), 0);
  return {
    sales: {
      count: sumOf(({ sales }) => sales.count),
      amount: sumOf(({ sales }) => sales.amountMinorUnits),
    },
    matched: {
      count: sumOf(({ matched }) => matched.count),
      amount: sumOf(({ matched }) => matched.amountMinorUnits),
    },
    earned: sumOf(({ pointsEarned }) => pointsEarned),
    reversed: sumOf(({ pointsReversed }) => pointsReversed),
    redeemed: sumOf(({ pointsRedeemed }) => pointsRedeemed),
    used: sumOf(({ pointsUsed }) => pointsUsed),
    returned: sumOf(({ pointsReturned }) => pointsReturned),
    outstanding: shown.pointsOutstanding,
    liability: shown.liabilityMinorUnits,
    owed: shown.pointsOwed,
  };
}
