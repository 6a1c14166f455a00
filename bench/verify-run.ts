import type { Db } from '../db/connection.ts';
import { verifyLedger } from '../db/ledger/verification.ts';
import { type Plan, paymentsOf, type Sale } from './sales.ts';

/**
 * Compares the database with everything that was sent to it: every event closed, every payment
 * credited once and to its consumer, every balance the sum of its consumer's payments, no violation
 * in the ledger. Throws with the differences.
 */
export async function verifyRun(db: Db, plans: readonly Plan[]): Promise<void> {
  const sales = new Map(plans.flatMap((plan) => [...paymentsOf(plan)]));
  const events = plans.reduce((sum, plan) => sum + plan.events, 0);
  const problems = [
    ...(await wrongEvents(db, events, sales.size)),
    ...(await wrongPayments(db, sales)),
    ...(await wrongBalances(db, sales)),
    ...(await verifyLedger(db)).violations.map(
      ({ walletId, problem }) => `wallet ${walletId}: ${problem}`,
    ),
  ];
  if (problems.length > 0) {
    throw new Error(
      `The database differs from what was sent:\n${problems.slice(0, 10).join('\n')}`,
    );
  }
}

async function wrongEvents(db: Db, events: number, payments: number): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { outcome: string | null; count: number }[] }>(
    `select outcome, count(*) from event_outcomes group by outcome
     union all
     select null, count(*) from pending_events having count(*) > 0`,
  );
  const counts = new Map(rows.map((row) => [row.outcome, row.count]));
  const expected = [
    ['credited', payments],
    ['duplicate', events - payments],
  ] as const;
  const wrong = expected.filter(([outcome, count]) => (counts.get(outcome) ?? 0) !== count);
  const others = rows.filter((row) => row.outcome !== 'credited' && row.outcome !== 'duplicate');
  return [
    ...wrong.map(
      ([outcome, count]) => `${counts.get(outcome) ?? 0} events ${outcome}, not ${count}`,
    ),
    ...others.map(({ outcome, count }) => `${count} events ${outcome ?? 'still open'}`),
  ];
}

async function wrongPayments(db: Db, sales: ReadonlyMap<string, Sale>): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { id: string; email: string; points: number }[] }>(
    `select p.provider_payment_id as id, u.email, e.points
     from payments p
     join ledger_entries e on e.source_type = 'payment' and e.source_id = p.id
     join wallets w on w.id = e.wallet_id
     join users u on u.id = w.user_id`,
  );
  const credits = new Map<string, number>();
  const problems: string[] = [];
  for (const { id, email, points } of rows) {
    credits.set(id, (credits.get(id) ?? 0) + 1);
    const sale = sales.get(id);
    if (sale?.email !== email || sale.amount !== points) problems.push(`payment ${id} is wrong`);
  }
  for (const id of sales.keys()) {
    const times = credits.get(id) ?? 0;
    if (times !== 1) problems.push(`payment ${id} was credited ${times} times`);
  }
  return problems;
}

async function wrongBalances(db: Db, sales: ReadonlyMap<string, Sale>): Promise<string[]> {
  const expected = new Map<string, number>();
  for (const { email, amount } of sales.values()) {
    expected.set(email, (expected.get(email) ?? 0) + amount);
  }
  const { rows } = await db.raw<{ rows: { email: string; balance: number }[] }>(
    'select u.email, w.balance from wallets w join users u on u.id = w.user_id',
  );
  return rows
    .filter(({ email, balance }) => balance !== (expected.get(email) ?? 0))
    .map(({ email, balance }) => `${email} holds ${balance}, not ${expected.get(email) ?? 0}`);
}
