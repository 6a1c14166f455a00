import { Refusal } from '../../domain/errors.ts';
import type { PaymentId, TenantId, UserId } from '../../domain/ids.ts';
import { type Decision, decideAttached } from '../../domain/ingestion.ts';
import type { RefundPolicy } from '../../domain/refund.ts';
import { requireActiveShop } from '../../domain/tenant-status.ts';
import type { OutcomeReason } from '../../domain/texts/coded-sentence.ts';
import * as auditLog from '../audit-log.ts';
import type { Tx } from '../connection.ts';
import * as wallets from '../ledger/wallets.ts';
import { requireNotErased } from '../users/members.ts';
import * as attachments from './attachments.ts';
import * as paymentFacts from './facts.ts';
import { storeMatch } from './late-match.ts';
import * as paymentRevisions from './revisions.ts';

/** How many sales of one member may be attached at a shop in 24 hours, by whomever. */
const MOST_OF_MEMBER = 5;
/** How many sales one person may attach in an hour. */
const MOST_BY_OPERATOR = 60;

export type Attaching = {
  tenantId: TenantId;
  saleId: PaymentId;
  /** Whom the sale is attached to. */
  memberId: UserId;
  operatorId: UserId;
  /** How long ago the sale may have been, in hours. */
  withinHours: number;
  by: auditLog.Acting;
};

/** What an attached sale earned, before refunds, and why nothing. */
export type Attached = { points: number; reason: OutcomeReason | null };

/**
 * Attaches an anonymous sale to a member: a late match under the rule in effect now, less what was
 * refunded. Run twice, or by two at once, it credits the sale once; the same member again gets the
 * same answer. Throws a refusal, and then nothing is attached.
 */
export async function attachSale(
  tx: Tx,
  { tenantId, saleId, memberId, operatorId, withinHours, by }: Attaching,
  refunds: RefundPolicy,
): Promise<Attached> {
  await attachments.lockOperator(tx, operatorId);
  const found = await attachments.findSale(tx, tenantId, saleId);
  if (found === undefined) throw unknownSale();
  if (memberId === operatorId) {
    const message = 'This is your own member number. Ask a colleague to attach the sale.';
    throw new Refusal('FORBIDDEN', message, 'own_member');
  }
  const before = attachedBefore(found, memberId);
  if (before !== undefined) return before;
  requireRecent(found, withinHours);
  await requireNotErased(tx, memberId);

  const walletId = await wallets.ensureOne(tx, { userId: memberId, tenantId });
  await wallets.lockAll(tx, [walletId], []);
  await paymentRevisions.lock(tx, [saleId]);
  const sale = await attachments.findSale(tx, tenantId, saleId);
  if (sale === undefined) throw unknownSale();
  const meanwhile = attachedBefore(sale, memberId);
  if (meanwhile !== undefined) return meanwhile;
  // After the wallet is locked, so that no other sale becomes their first purchase meanwhile.
  const facts = await readTerms(tx, { tenantId, member: memberId }, sale);
  const attaching = { tenantId, userId: memberId, operatorId };
  await requireWithinLimits(tx, attaching);

  const payment = { ...sale.payment, state: 'settled', email: null, phone: null } as const;
  const { isBeforeConnection, storedAt } = sale;
  const given = { ...facts, isBeforeConnection, memberId };
  const decision = decideAttached({ ...payment, storedAt }, given, refunds);
  await storeMatch(tx, {
    ...decision,
    id: saleId,
    walletId: decision.points === 0 ? null : walletId,
    payment,
    sum: { minorUnits: payment.refundedMinorUnits, asOfMs: sale.refundedAsOf.getTime() },
  });
  await attachments.record(tx, saleId, attaching);
  await audit(tx, { tenantId, saleId, memberId, by }, decision);
  return { points: decision.points, reason: decision.reason };
}

function unknownSale(): Refusal {
  return new Refusal('NOT_FOUND', 'There is no such sale. Search for it again.');
}

/** What the sale earned this member before; undefined while it is free. Throws when it is taken. */
function attachedBefore(
  { isFree, attachedTo, pointsAwarded, outcomeReason }: attachments.AttachableSale,
  memberId: UserId,
): Attached | undefined {
  if (isFree) return undefined;
  if (attachedTo === memberId) return { points: pointsAwarded, reason: outcomeReason };
  const message = 'The sale has a customer already, or named one who has not signed up yet.';
  throw new Refusal('RULE_REJECTED', message, 'sale_taken');
}

const HOUR_MS = 3_600_000;

function requireRecent({ payment }: attachments.AttachableSale, withinHours: number): void {
  if (payment.occurredAt.getTime() > Date.now() - withinHours * HOUR_MS) return;
  const since = withinHours > 24 ? `${withinHours / 24} days` : `${withinHours} hours`;
  const message = `Only sales of the last ${since} can be attached.`;
  throw new Refusal('RULE_REJECTED', message, 'sale_too_old');
}

/** Reads by which terms the sale earns for a member. Throws while the shop has none. */
async function readTerms(
  tx: Tx,
  whose: { tenantId: TenantId; member: UserId },
  { payment }: attachments.AttachableSale,
): Promise<Omit<paymentFacts.KnownFacts, 'known'>> {
  const question = { ...payment, ...whose, email: null, phone: null };
  const [facts] = await paymentFacts.readFacts(tx, [question]);
  if (facts === undefined) throw new Error('A payment came back without its facts.');
  if (facts.isSuspended) requireActiveShop({ status: 'suspended' });
  if (facts.rule !== null) return facts;
  const message = 'The shop has no reward rule in effect. Publish one first.';
  throw new Refusal('RULE_REJECTED', message, 'no_rule');
}

/** Throws when the member, or the person who attaches, has had enough. Their locks are held. */
async function requireWithinLimits(
  tx: Tx,
  attaching: Parameters<typeof attachments.recentOf>[1],
): Promise<void> {
  const { ofMember, byOperator } = await attachments.recentOf(tx, attaching);
  if (ofMember >= MOST_OF_MEMBER) {
    const message = `${MOST_OF_MEMBER} sales were attached to them in 24 hours. Try tomorrow.`;
    throw new Refusal('RULE_REJECTED', message, 'member_limit');
  }
  if (byOperator >= MOST_BY_OPERATOR) {
    const message = `You attached ${MOST_BY_OPERATOR} sales within an hour. Try again later.`;
    throw new Refusal('RATE_LIMITED', message, 'too_many_attachments');
  }
}

async function audit(
  tx: Tx,
  { tenantId, saleId, memberId, by }: Pick<Attaching, 'tenantId' | 'saleId' | 'memberId' | 'by'>,
  { points }: Decision,
): Promise<void> {
  await auditLog.insert(tx, {
    ...by,
    action: 'sale.attach',
    targetType: 'transaction',
    targetId: saleId,
    tenantId,
    reason: null,
    before: { userId: null },
    after: { userId: memberId, points },
  });
}
