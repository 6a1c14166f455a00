import { rebuildRecord, type StoredDecision } from '../../domain/decision-record.ts';
import type { TenantId } from '../../domain/ids.ts';
import type { Span } from '../../domain/intervals.ts';
import type { DecidedSale, NobodysSales } from '../../domain/rehearsal.ts';
import type { Db } from '../connection.ts';
import { one } from '../one.ts';
import { STORED_DECISION } from './decisions.ts';

/** A tenant's sales of a span that were stored by a time. */
export type SalesOfSpan = Span & { tenantId: TenantId; storedBy: Date };

type Row = Omit<DecidedSale, 'record'> & { storedDecision: StoredDecision };

/**
 * Lists the next sales of consumers after the sale `after`: a consumer's follow each other, in the
 * order of time. A page is read through an index, so that all pages together read each sale once.
 */
export async function listRehearsed(
  db: Db,
  { tenantId, from, to, storedBy }: SalesOfSpan,
  page: { after: Pick<DecidedSale, 'userId' | 'id'> | undefined; limit: number },
): Promise<DecidedSale[]> {
  const { rows } = await db.raw<{ rows: Row[] }>(
    `select p.id, p.user_id, p.occurred_at, p.outcome_reason, p.rule_version, p.points_awarded,
       p.refunded_minor_units, ${STORED_DECISION}
     from payments p
     where p.tenant_id = :tenantId and p.user_id is not null
       and p.occurred_at >= :from and p.occurred_at < :to and p.created_at <= :storedBy
       and (:userId::uuid is null or (p.user_id, p.occurred_at, p.id) > (
         :userId::uuid,
         (select occurred_at from payments where id = :id::uuid and tenant_id = :tenantId),
         :id::uuid
       ))
     order by p.user_id, p.occurred_at, p.id limit :limit`,
    {
      tenantId,
      from: from.toISOString(),
      to: to.toISOString(),
      storedBy: storedBy.toISOString(),
      userId: page.after?.userId ?? null,
      id: page.after?.id ?? null,
      limit: page.limit,
    },
  );
  return rows.map(({ storedDecision, ...sale }) => ({
    ...sale,
    record: rebuildRecord(storedDecision),
  }));
}

/** Counts the sales of a span that no consumer can earn points with. */
export async function countUnrehearsed(
  db: Db,
  { tenantId, from, to, storedBy }: SalesOfSpan,
): Promise<NobodysSales> {
  const { rows } = await db.raw<{ rows: NobodysSales[] }>(
    `select count(*) filter (where outcome = 'stored_anonymous') as anonymous,
       count(*) filter (where outcome_reason = 'before_connection') as before_connection
     from payments
     where tenant_id = :tenantId and user_id is null
       and outcome in ('stored_anonymous', 'credited')
       and occurred_at >= :from and occurred_at < :to and created_at <= :storedBy`,
    {
      tenantId,
      from: from.toISOString(),
      to: to.toISOString(),
      storedBy: storedBy.toISOString(),
    },
  );
  return one(rows, 'counts');
}
