import type { Db } from '../../db/connection.ts';
import { type Sent, type Series, saleOf } from './traffic.ts';

/**
 * Lists what is wrong with the credits of a series: each accepted sale must be credited once, to
 * its consumer and in full, and nothing else may be credited.
 */
export async function wrongCredits(
  db: Db,
  series: Series,
  { accepted, count }: Pick<Sent, 'accepted' | 'count'>,
): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { id: string; email: string; points: number }[] }>(
    `select p.provider_payment_id as id, u.email, e.points
     from payments p
     join ledger_entries e on e.source_type = 'payment' and e.source_id = p.id
     join wallets w on w.id = e.wallet_id
     join users u on u.id = w.user_id
     where p.provider_payment_id like :prefix`,
    { prefix: `${series.name}-%` },
  );
  const credits = new Map<string, { times: number; email: string; points: number }>();
  for (const { id, email, points } of rows) {
    credits.set(id, { times: (credits.get(id)?.times ?? 0) + 1, email, points });
  }
  const problems: string[] = [];
  for (let nth = 0; nth < count; nth++) {
    const sale = saleOf(series, nth);
    const credit = credits.get(sale.paymentId);
    credits.delete(sale.paymentId);
    // An attempt that was cut off may or may not have been stored.
    if (credit === undefined) {
      if (accepted.has(nth)) problems.push(`${sale.paymentId} was accepted and never credited`);
      continue;
    }
    const isRight =
      credit.times === 1 && credit.email === sale.email && credit.points === sale.amount;
    if (!isRight) problems.push(`${sale.paymentId} was credited as ${JSON.stringify(credit)}`);
  }
  return [...problems, ...[...credits.keys()].map((id) => `${id} was credited and never sent`)];
}

/** Counts the redemptions. */
export async function redemptionCount(db: Db): Promise<number> {
  const [row] = await db('redemptions').count<{ n: number }[]>('* as n');
  return Number(row?.n);
}
