import type { Db, Tx } from '../../../db/connection.ts';
import { isDatabaseUnreachable } from '../../../db/errors.ts';
import * as ledger from '../../../db/ledger/postings.ts';
import * as wallets from '../../../db/ledger/wallets.ts';
import { untilReadersEnd } from '../../../db/open-transactions.ts';
import * as debts from '../../../db/payments/debts.ts';
import * as paymentFacts from '../../../db/payments/facts.ts';
import * as foreignCurrency from '../../../db/payments/foreign-currency.ts';
import * as paymentRevisions from '../../../db/payments/revisions.ts';
import type { PaymentId, TenantId, WalletId } from '../../../domain/ids.ts';
import { decide } from '../../../domain/ingestion.ts';
import type { RefundPolicy } from '../../../domain/refund.ts';
import { movesOf } from '../../../domain/revision.ts';
import { entriesOf } from './fold-revisions.ts';

export type DecidedAgain = {
  payments: number;
  points: number;
  failed: { paymentId: PaymentId; error: unknown }[];
  /** Whether payments that were being decided meanwhile could be waited for. */
  isComplete: boolean;
};

const BATCH = 500;
/** A payment takes far less to be decided and stored, unless something holds it up. */
const PATIENCE_MS = 60_000;

/**
 * Decides again what was refused because the tenant had another currency, and is in its currency
 * now: under the rule in effect now, less what was refunded meanwhile. One that fails fails alone.
 * Each payment is a transaction of its own, so that it can be killed and run again, or run twice at
 * once, and credits each once.
 */
export async function decideAgain(
  db: Db,
  tenantId: TenantId,
  refunds: RefundPolicy,
): Promise<DecidedAgain> {
  // A batch that had read the former currency may still store a refusal.
  const isComplete = await untilReadersEnd(db, 'tenants', PATIENCE_MS);
  const done: DecidedAgain = { payments: 0, points: 0, failed: [], isComplete };
  let after: PaymentId | null = null;
  for (;;) {
    const ids: PaymentId[] = await foreignCurrency.listRefused(db, tenantId, {
      limit: BATCH,
      after,
    });
    for (const paymentId of ids) {
      try {
        const points = await db.transaction((tx) => decideOne(tx, paymentId, refunds));
        if (points === undefined) continue;
        done.payments++;
        done.points += points;
      } catch (error) {
        if (isDatabaseUnreachable(error)) throw error;
        done.failed.push({ paymentId, error });
      }
    }
    after = ids.at(-1) ?? null;
    if (after === null) return done;
  }
}

/** Decides one payment, and returns its points; undefined when it was decided meanwhile. */
async function decideOne(
  tx: Tx,
  id: PaymentId,
  refunds: RefundPolicy,
): Promise<number | undefined> {
  const found = await foreignCurrency.findRefused(tx, id);
  if (found === undefined) return undefined;
  const [facts] = await paymentFacts.readFacts(tx, [{ ...reportOf(found), ...found }]);
  if (facts === undefined) throw new Error('A payment came back without its facts.');
  const decideAs = (refused: foreignCurrency.RefusedPayment) => {
    // The consumer is whom the payment was matched with then: it keeps no contact to match again.
    const { rule, currency } = facts;
    const matched = { userByEmail: refused.userId, userByPhone: null, rule, currency };
    return decide(reportOf(refused), matched, refunds);
  };
  // The wallet is locked before the payment (db/payments/debts.ts), whose amount never changes.
  const walletId = decideAs(found).points === 0 ? null : await lockWallet(tx, found);
  const refused = await foreignCurrency.lockRefused(tx, id);
  if (refused === undefined) return undefined;
  const decision = decideAs(refused);
  const { decision: former, sum } = refused;
  const record = { ...decision.record, contacts: former.contacts, match: former.match };
  const payment = reportOf(refused);
  await paymentRevisions.recordMatches(tx, [{ ...decision, id, record, walletId, payment, sum }]);
  if (walletId !== null) {
    const posted = await ledger.post(tx, entriesOf(walletId, id, movesOf(decision)));
    await debts.pay(tx, ledger.owingOf(posted));
  }
  return decision.points;
}

function reportOf({ payment }: foreignCurrency.RefusedPayment) {
  return { ...payment, state: 'settled', email: null, phone: null } as const;
}

async function lockWallet(
  tx: Tx,
  { userId, tenantId }: foreignCurrency.RefusedPayment,
): Promise<WalletId> {
  const walletId = await wallets.ensureOne(tx, { userId, tenantId });
  await wallets.lockAll(tx, [walletId], []);
  return walletId;
}
