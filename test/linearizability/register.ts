import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../db/connection.ts';
import type { PaymentId, TenantId } from '../../domain/ids.ts';
import type { AlphaPaymentOptions } from '../support/factories.ts';
import type { Recorded } from './history.ts';

/** How a register of a tenant reports its payments, and whom its sales name. */
export type Till = {
  tenantId: TenantId;
  email: string;
  /** Ingests a payment as the worker does. */
  report(payment: AlphaPaymentOptions): Promise<PaymentId>;
};

/** A sale that was rung up, and what is refunded of it so far. */
export type Sale = { sale: string; amount: number; refunded: number; reports: number; at: Date };

/** Where a register writes down what it does, and how often each report is delivered at once. */
type Ringing = { db: Db; caller: string; times: number; history: Recorded[] };

const ATTEMPTS = 60;
const PAUSE_MS = 150;

/** Rings up a sale, records what it earned, and returns it. */
export async function ring(
  till: Till,
  { sale, amount }: Pick<Sale, 'sale' | 'amount'>,
  ringing: Ringing,
): Promise<Sale> {
  const rung = { sale, amount, refunded: 0, reports: 1, at: new Date() };
  const start = performance.now();
  const { points, balance } = await untilTaken(till, rung, ringing);
  const request = { kind: 'sale', sale, amount, balance } as const;
  record(ringing, { request, answer: `earned ${points}`, start });
  return rung;
}

/** Refunds some more of a sale, and records it. */
export async function refund(
  till: Till,
  { sold, minorUnits }: { sold: Sale; minorUnits: number },
  ringing: Ringing,
): Promise<void> {
  sold.refunded += minorUnits;
  sold.reports += 1;
  const { sale, refunded } = sold;
  const start = performance.now();
  await untilTaken(till, sold, ringing);
  const request = { kind: 'refund', sale, refunded } as const;
  record(ringing, { request, answer: 'refunded', start });
}

function record(
  { caller, history }: Ringing,
  done: Pick<Recorded, 'request' | 'answer' | 'start'>,
): void {
  history.push({ caller, ...done, end: performance.now() });
}

/**
 * Reports a payment until it is stored as reported, as providers do, and returns what it earned. A
 * report that was taken although nobody answers is not harmed by another one.
 */
async function untilTaken(
  { tenantId, email, report }: Till,
  { sale: id, amount, refunded, reports, at }: Sale,
  { db, times }: Ringing,
): Promise<{ points: number; balance: number }> {
  const updatedAt = new Date(at.getTime() + reports);
  const payment = { id, amount, refunded, email, createdAt: at, updatedAt };
  let cause: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const deliveries = Array.from({ length: times }, () => report(payment));
    for (const delivered of await Promise.allSettled(deliveries)) {
      if (delivered.status === 'rejected') cause = delivered.reason;
    }
    try {
      const { rows } = await db.raw<{ rows: { points: number; balance: number }[] }>(
        `select p.points_awarded as points, coalesce(e.balance_after, 0) as balance
         from payments p
         left join ledger_entries e on e.source_id = p.id and e.reason = 'purchase'
         where p.tenant_id = :tenantId and p.provider_payment_id = :id
           and p.refunded_minor_units = :refunded`,
        { tenantId, id, refunded },
      );
      const [stored] = rows;
      if (stored !== undefined) return stored;
    } catch (error) {
      cause = error;
    }
    await sleep(PAUSE_MS);
  }
  throw new Error(`Nobody takes ${id}, of which ${refunded} is refunded.`, { cause });
}
