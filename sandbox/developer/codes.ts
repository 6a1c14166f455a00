import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import type { Db } from '../../db/connection.ts';
import type { RedemptionId, TenantId } from '../../domain/ids.ts';
import { reconciledRedemptionsStart } from '../../workflows/redemption-starts.ts';
import { clientStart } from '../../workflows/starts.ts';
import { NAMESPACE } from '../environment.ts';

const MOST = 500;
const OPEN = `r.status = 'issued' and r.expires_at > statement_timestamp()`;

/** A code that can be used. */
export type OpenCode = {
  id: RedemptionId;
  owner: string;
  shop: string;
  points: number;
  expiresAt: Date;
};

/** Lists the codes that can be used, those that expire first. */
export async function listOpenCodes(db: Db): Promise<OpenCode[]> {
  const { rows } = await db.raw<{ rows: OpenCode[] }>(
    `select r.id, coalesce(u.email, u.sub) as owner, t.name as shop, r.points, r.expires_at
     from redemptions r join users u on u.id = r.user_id join tenants t on t.id = r.tenant_id
     where ${OPEN} order by r.expires_at limit ${MOST}`,
  );
  return rows;
}

/**
 * Lets codes run out now, all or one, and returns how many. Only their time is moved: a run as
 * `reconcile` starts it expires them, returns their points and mails their owners. When Temporal is
 * away, `reconcile` does so within a minute of its return.
 */
export async function letCodesRunOut(
  place: { db: Db; temporal: { address: string }; namespace?: string },
  id?: RedemptionId,
): Promise<number> {
  const { db, temporal, namespace = NAMESPACE } = place;
  const { rows } = await db.raw<{ rows: { id: RedemptionId; tenantId: TenantId }[] }>(
    `update redemptions r
     set expires_at = statement_timestamp(), next_expiry_at = null,
       -- The run that follows them sleeps until the time that they had.
       followed_at = null, followed_by = null
     from (
       select id from redemptions r where ${OPEN} and (:id::uuid is null or id = :id::uuid)
       order by id limit ${MOST} for no key update
     ) mine
     where r.id = mine.id
     returning r.id, r.tenant_id`,
    { id: id ?? null },
  );
  if (rows.length > 0) await follow(rows, temporal.address, namespace);
  return rows.length;
}

async function follow(
  codes: { id: RedemptionId; tenantId: TenantId }[],
  address: string,
  namespace: string,
): Promise<void> {
  const connection = await Connection.connect({ address });
  try {
    const client = new Client({ connection, namespace });
    const start = reconciledRedemptionsStart(codes, { runId: randomUUID(), nth: 0 });
    const { workflowType, ...options } = clientStart(start, []);
    await client.workflow.start(workflowType, options);
  } finally {
    await connection.close();
  }
}
