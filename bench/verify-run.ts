import type { Db } from '../db/connection.ts';
import { verifyLedger } from '../db/ledger/verification/whole.ts';
import { type Plan, paymentsOf, type Sale } from './sales.ts';

/**
 * Compares the database with everything that was sent to it: every event closed, every payment
 * credited once and to its consumer, every refund reversed or owed, every balance what its
 * consumer's payments and codes make of it, and the ledger what `npm run verify` wants it to be.
 * Throws with the differences. The ledger of another release may have another schema, which this
 * verification does not know. Where campaigns give points, the ledger alone tells how many.
 */
export async function verifyRun(
  db: Db,
  plans: readonly Plan[],
  { isOfOtherRelease = false, hasCampaigns = false } = {},
): Promise<void> {
  const sales = new Map(plans.flatMap((plan) => [...paymentsOf(plan)]));
  const problems = [
    ...(await wrongEvents(db, plans, sales.size)),
    ...(hasCampaigns ? [] : await wrongPayments(db, sales)),
    ...(hasCampaigns ? [] : await wrongBalances(db, sales)),
    ...(isOfOtherRelease ? [] : await wrongLedger(db)),
  ];
  if (problems.length > 0) {
    throw new Error(
      `The database differs from what was sent:\n${problems.slice(0, 10).join('\n')}`,
    );
  }
}

async function wrongLedger(db: Db): Promise<string[]> {
  const { violations } = await verifyLedger(db);
  return violations.map(({ walletId, problem }) => `wallet ${walletId}: ${problem}`);
}

async function wrongEvents(db: Db, plans: readonly Plan[], payments: number): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { outcome: string | null; count: number }[] }>(
    `select outcome, count(*) from event_outcomes group by outcome
     union all
     select null, count(*) from pending_events having count(*) > 0`,
  );
  const counts = new Map(rows.map((row) => [row.outcome, row.count]));
  const sum = (counted: (plan: Plan) => number) =>
    plans.reduce((total, plan) => total + counted(plan), 0);
  const pending = sum(({ reports, events }) => (reports === 'pairs' ? events / 2 : 0));
  const refunds = sum((plan) => (plan.reports === 'refunds' ? countRefunds(plan) : 0));
  const repeated = sum(({ events }) => events) - pending - payments;
  // A refund that is ingested before its sale is part of the credit, and the sale a duplicate.
  const reversed = counts.get('refund_reversed') ?? 0;
  const expected = new Map<string | null, number>([
    ['credited', payments],
    ['ignored', pending],
    ['refund_reversed', Math.min(reversed, refunds)],
    ['duplicate', repeated - reversed],
  ]);
  const outcomes = new Set([...expected.keys(), ...counts.keys()]);
  return [...outcomes].flatMap((outcome) => {
    const [found, wanted] = [counts.get(outcome) ?? 0, expected.get(outcome) ?? 0];
    return found === wanted ? [] : [`${found} events ${outcome ?? 'still open'}, not ${wanted}`];
  });
}

function countRefunds(plan: Plan): number {
  return [...paymentsOf(plan).values()].filter(({ refunded = 0 }) => refunded > 0).length;
}

type StoredPayment = {
  id: string;
  email: string | null;
  credits: number;
  points: number;
  /** What is reversed by the ledger, and what by the payment, with what is owed or written off. */
  debited: number;
  reversed: number;
  refunded: number;
};

/**
 * Lists the payments that are not stored, or not credited once, to their buyer and in full, or
 * whose refunds are not all reversed, owed or written off. The sales are by their ids, and a point
 * is one unit of their amounts.
 */
export async function wrongPayments(db: Db, sales: ReadonlyMap<string, Sale>): Promise<string[]> {
  const { rows } = await db.raw<{ rows: StoredPayment[] }>(
    `select p.provider_payment_id as id, u.email, l.credits, l.points, l.debited,
       p.points_reversed as reversed,
       p.points_reversed + p.points_owed + p.points_written_off as refunded
     from payments p
     left join (
       select source_id, wallet_id, count(*) filter (where entry_type = 'credit') as credits,
         (sum(points) filter (where entry_type = 'credit'))::bigint as points,
         coalesce(sum(points) filter (where entry_type = 'debit'), 0)::bigint as debited
       from ledger_entries where source_type = 'payment' group by source_id, wallet_id
     ) l on l.source_id = p.id
     left join wallets w on w.id = l.wallet_id
     left join users u on u.id = w.user_id`,
  );
  const found = new Set(rows.map(({ id }) => id));
  const missing = [...sales.keys()].filter((id) => !found.has(id));
  const wrong = rows.filter((row) => !isRight(row, sales.get(row.id)));
  return [
    ...missing.map((id) => `payment ${id} is not stored`),
    ...wrong.map((row) => `payment ${row.id} is wrong: ${JSON.stringify(row)}`),
  ];
}

/** Points are minor units here, for credits and for refunds. */
function isRight(row: StoredPayment, sale: Sale | undefined): boolean {
  if (sale === undefined) return false;
  return (
    row.credits === 1 &&
    row.email === sale.email &&
    row.points === sale.amount &&
    row.debited === row.reversed &&
    row.refunded === (sale.refunded ?? 0)
  );
}

/** Lists the wallets whose balance is not what sales, refunds and codes make of it. */
export async function wrongBalances(db: Db, sales: ReadonlyMap<string, Sale>): Promise<string[]> {
  const earned = new Map<string, number>();
  for (const { email, amount } of sales.values()) {
    earned.set(email, (earned.get(email) ?? 0) + amount);
  }
  const { rows } = await db.raw<{ rows: { email: string; balance: number; spent: number }[] }>(
    `select u.email, w.balance, coalesce(p.reversed, 0) + coalesce(r.redeemed, 0) as spent
     from wallets w
     join users u on u.id = w.user_id
     left join (
       select wallet_id, sum(points_reversed)::bigint as reversed from payments group by wallet_id
     ) p on p.wallet_id = w.id
     left join (
       select wallet_id, sum(points)::bigint as redeemed from redemptions
       where points_returned is not true group by wallet_id
     ) r on r.wallet_id = w.id`,
  );
  return rows.flatMap(({ email, balance, spent }) => {
    const wanted = (earned.get(email) ?? 0) - spent;
    return balance === wanted ? [] : [`${email} holds ${balance}, not ${wanted}`];
  });
}
