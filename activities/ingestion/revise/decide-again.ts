import { announce } from '../../../db/changes/announce.ts';
import type { Db, Tx } from '../../../db/connection.ts';
import { isDatabaseUnreachable, isLockTimeout } from '../../../db/errors.ts';
import * as wallets from '../../../db/ledger/wallets.ts';
import { limitLockWaits } from '../../../db/lock-waits.ts';
import { untilReadersEnd } from '../../../db/open-transactions.ts';
import * as paymentFacts from '../../../db/payments/facts.ts';
import { storeMatch } from '../../../db/payments/late-match.ts';
import * as refusedPayments from '../../../db/payments/refused.ts';
import type { PaymentId, TenantId, UserId, WalletId } from '../../../domain/ids.ts';
import { type DecisionRecord, decide } from '../../../domain/ingestion.ts';
import type { RefundPolicy } from '../../../domain/refund.ts';
import type { DueWorker } from '../../due-work/worker.ts';
import { continues } from '../../progress.ts';
import type { SignupMatchingDeps } from './signups.ts';

export type DecidedAgain = {
  payments: number;
  points: number;
  failed: { paymentId: PaymentId; error: unknown }[];
  /** Whether all were decided, and payments that were being decided meanwhile waited for. */
  isComplete: boolean;
};

const BATCH = 500;
/** A payment takes far less to be decided and stored, unless something holds it up. */
const PATIENCE_MS = { ofCommand: 60_000, ofTurn: 5_000 };

/**
 * Decides again what was refused because the tenant had another currency, or was suspended, and is
 * not any more: oldest first, under the rule in effect now, less what was refunded meanwhile. One
 * that fails fails alone. Each payment is a transaction of its own, so that it can be killed and
 * run again, or run twice at once, and credits each once.
 */
export async function decideAgain(
  db: Db,
  tenantId: TenantId,
  refunds: RefundPolicy,
): Promise<DecidedAgain> {
  // A batch that had read the tenant as it was may still store a refusal.
  const isAlone = await untilReadersEnd(db, 'tenants', PATIENCE_MS.ofCommand);
  const done = await decideRefused(db, tenantId, { refunds, until: Number.POSITIVE_INFINITY });
  return { ...done, isComplete: done.isComplete && isAlone };
}

/** Decides again about the sales of tenants that are suspended no more. */
export function decideTenantsAgain({
  db,
  ingestPolicy: { refunds },
}: Pick<SignupMatchingDeps, 'db' | 'ingestPolicy'>): DueWorker<'decide_again'> {
  return {
    kind: 'decide_again',
    batch: 20,
    atOnce: 1,
    backOff: { firstSeconds: 60, longestSeconds: 6 * 3_600 },
    async prepare(items) {
      const isAlone = await untilReadersEnd(db, 'tenants', PATIENCE_MS.ofTurn);
      return items.map((item) => ({
        item,
        async run(until) {
          const { failed, isComplete } = await decideRefused(db, item.id, { refunds, until });
          const [first] = failed;
          if (first !== undefined) throw first.error;
          return isComplete && isAlone ? 'done' : 'again';
        },
      }));
    },
  };
}

async function decideRefused(
  db: Db,
  tenantId: TenantId,
  { refunds, until }: { refunds: RefundPolicy; until: number },
): Promise<DecidedAgain> {
  const done: DecidedAgain = { payments: 0, points: 0, failed: [], isComplete: false };
  const held = new Set<UserId>();
  for (let after: PaymentId | null = null; ; ) {
    const page = { limit: BATCH, after };
    const ids: PaymentId[] = await refusedPayments.listRefused(db, tenantId, page);
    for (const paymentId of ids) {
      if (performance.now() > until) return done;
      continues();
      try {
        const decided = await db.transaction((tx) => decideOne(tx, paymentId, { refunds, held }));
        if (decided === undefined) continue;
        done.payments++;
        done.points += decided.points;
        if (decided.points > 0) announce(db, { userIds: [decided.userId] });
      } catch (error) {
        if (isDatabaseUnreachable(error)) throw error;
        done.failed.push({ paymentId, error });
      }
    }
    after = ids.at(-1) ?? null;
    if (after === null) return { ...done, isComplete: true };
  }
}

/**
 * Decides one payment, and returns whose points it earned; undefined once it was decided. Throws
 * for a wallet that somebody holds. Its owner is then `held`, whose other payments are not tried,
 * so that those of other customers come soon.
 */
async function decideOne(
  tx: Tx,
  id: PaymentId,
  { refunds, held }: { refunds: RefundPolicy; held: Set<UserId> },
): Promise<{ userId: UserId; points: number } | undefined> {
  const found = await refusedPayments.findRefused(tx, id);
  if (found === undefined) return undefined;
  if (held.has(found.userId)) throw new Error('The wallet is held; the payment is tried again.');
  await limitLockWaits(tx);
  const question = { ...reportOf(found), ...found, member: found.userId };
  const [facts] = await paymentFacts.readFacts(tx, [question]);
  if (facts === undefined) throw new Error('A payment came back without its facts.');
  const decideAs = (refused: refusedPayments.RefusedPayment) => {
    // The consumer is whom the payment was matched with then: it keeps no contact to match again.
    const { userId, storedAt, decision: former } = refused;
    const { isBeforeConnection = false } = former;
    const whose = { userByEmail: userId, userByPhone: null, isBeforeConnection };
    // Who led to the suspension may have published the campaigns of then.
    const left = wasSuspended(former) ? { campaigns: [] } : {};
    const open = facts.open ? { ...facts.open, ...left } : null;
    const matched = { ...facts, ...whose, open };
    return decide({ ...reportOf(refused), storedAt }, matched, refunds);
  };
  // The wallet is locked before the payment (db/payments/debts.ts), whose amount never changes.
  const walletId = decideAs(found).points === 0 ? null : await lockWallet(tx, found, held);
  const refused = await refusedPayments.lockRefused(tx, id);
  if (refused === undefined) return undefined;
  const decision = decideAs(refused);
  const { decision: former, sum } = refused;
  const isRefused = decision.record.tenantCurrency !== undefined;
  const record: DecisionRecord = {
    ...decision.record,
    contacts: former.contacts,
    match: former.match,
    ...(isRefused && wasSuspended(former) && { wasSuspended: true }),
  };
  const payment = reportOf(refused);
  await storeMatch(tx, { ...decision, id, record, walletId, payment, sum });
  return { userId: refused.userId, points: decision.points };
}

/** Whether a refused payment was of a suspended tenant, also if it is in another currency now. */
function wasSuspended(refused: DecisionRecord): boolean {
  return refused.wasSuspended === true || refused.tenantCurrency === undefined;
}

function reportOf({ payment }: refusedPayments.RefusedPayment) {
  return { ...payment, state: 'settled', email: null, phone: null } as const;
}

async function lockWallet(
  tx: Tx,
  { userId, tenantId }: refusedPayments.RefusedPayment,
  held: Set<UserId>,
): Promise<WalletId> {
  try {
    const walletId = await wallets.ensureOne(tx, { userId, tenantId });
    await wallets.lockAll(tx, [walletId], []);
    return walletId;
  } catch (error) {
    if (isLockTimeout(error)) held.add(userId);
    throw error;
  }
}
