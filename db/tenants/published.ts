import { Refusal } from '../../domain/errors.ts';
import type { TenantId } from '../../domain/ids.ts';
import * as auditLog from '../audit-log.ts';
import type { Tx } from '../connection.ts';
import { one } from '../one.ts';

// Campaigns and rewards: a merchant publishes some, whose terms never change, and ends them.

type Table = 'campaigns' | 'rewards';

/** SQL: when a row ends, as the indexes of these tables know it. */
export const endOf = (row: string) =>
  `least(${row}.ends_at, ${row}.ended_at, 'infinity'::timestamptz)`;

/** The time by the clock of the database, by which sales and codes are stored. */
export async function databaseTime(tx: Tx): Promise<Date> {
  const { rows } = await tx.raw<{ rows: { now: Date }[] }>(
    "select date_trunc('milliseconds', clock_timestamp()) as now",
  );
  return one(rows, 'time').now;
}

/** Throws RULE_REJECTED where a tenant, which is locked, has so many that have not ended. */
export async function requireFewer(
  tx: Tx,
  table: Table,
  { tenantId, most }: { tenantId: TenantId; most: number },
): Promise<void> {
  const { rows } = await tx.raw<{ rows: { open: number }[] }>(
    `select count(*) as open from ${table} p
     where p.tenant_id = :tenantId and ${endOf('p')} > now()`,
    { tenantId },
  );
  if (one(rows, 'count').open < most) return;
  const message = `The shop has ${most} ${table} that have not ended. End one first.`;
  const issue = `too_many_${table}` as const;
  throw new Refusal('RULE_REJECTED', message, { issue, params: { max: most } });
}

/** Ends what a tenant has published, once, and says whether this call did. */
export async function markEnded(
  tx: Tx,
  table: Table,
  row: { tenantId: TenantId; id: string },
): Promise<boolean> {
  const ended = await tx(table)
    .where({ ...row, endedAt: null })
    .update({ endedAt: await databaseTime(tx) });
  return ended > 0;
}

/** Records who published or ended something. */
export async function audit(
  tx: Tx,
  acting: auditLog.Acting,
  entry: {
    what: 'campaign' | 'reward';
    done: 'publish' | 'end';
    of: { id: string; tenantId: TenantId };
    before: auditLog.AuditedState;
    after: auditLog.AuditedState;
  },
): Promise<void> {
  const { what, done, of, before, after } = entry;
  await auditLog.insert(tx, {
    ...acting,
    action: `${what}.${done}`,
    targetType: what,
    targetId: of.id,
    tenantId: of.tenantId,
    reason: null,
    before,
    after,
  });
}
