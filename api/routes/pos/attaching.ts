import type { Db, Tx } from '../../../db/connection.ts';
import { attachSale } from '../../../db/payments/attaching.ts';
import { findByNumber, type Member } from '../../../db/users/members.ts';
import { Refusal } from '../../../domain/errors.ts';
import type { PaymentId, TenantId } from '../../../domain/ids.ts';
import { requireActiveShop, type TenantStatus } from '../../../domain/tenant-status.ts';
import { type ActingRequest, actingBy } from '../../http/access/acting.ts';
import { countUnknown, requireNoGuessing } from '../../http/access/code-guesses.ts';
import type { Deps } from '../../http/deps.ts';
import { HttpRefusal } from '../../http/replies/errors.ts';
import type { AfterCommit, Afterwards } from '../../http/route.ts';

type MemberRequest = ActingRequest & {
  db: Db;
  afterwards: Afterwards;
  tenant: { id: TenantId; status: TenantStatus };
};

/** Finds whose a member number is; an unknown one counts as an unknown code. */
export async function getMember(
  { db, afterwards, tenant, user }: MemberRequest,
  memberNumber: string,
): Promise<Member> {
  const found = await findByNumber(db, memberNumber);
  if (found !== undefined) return found;
  const guess = { userId: user.id, tenantId: tenant.id, text: `member ${memberNumber}` };
  afterwards((deps) => countUnknown(deps, guess));
  throw new Refusal('NOT_FOUND', 'There is no such member. Ask the customer for the number.');
}

/** A limit counts what was done in the last hour, so that some may be possible again by then. */
const AGAIN_SECONDS = 60;

/** Attaches a sale of the tenant to the member with that number; answers with what it earned. */
export async function attach(
  request: MemberRequest &
    Pick<Deps, 'announce' | 'settings'> & { tx: Tx; afterCommit: AfterCommit },
  sale: { saleId: PaymentId; memberNumber: string; withinHours: number },
) {
  const { tx, tenant, user, settings, announce } = request;
  requireActiveShop(tenant);
  await requireNoGuessing(tx, user.id);
  const { id: memberId } = await getMember(request, sale.memberNumber);
  const attaching = { ...sale, tenantId: tenant.id, memberId, operatorId: user.id };
  try {
    const by = actingBy(request);
    const attached = await attachSale(tx, { ...attaching, by }, settings.refunds);
    request.afterCommit(() => announce({ userIds: [memberId] }));
    return { ok: true as const, transactionId: sale.saleId, ...attached };
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'RATE_LIMITED') throw error;
    const headers = { 'Retry-After': String(AGAIN_SECONDS) };
    throw new HttpRefusal(error.code, error.message, 429, { headers, why: error.issues ?? [] });
  }
}
