import type { EndpointId } from '../../domain/ids.ts';
import { SILENT_DAYS } from '../../domain/webhook-retries.ts';
import type { Db } from '../connection.ts';
import * as dueWork from '../due-work.ts';
import { isActive } from '../tenants/is-active.ts';
import { type Addressee, ownersOf } from '../tenants/owners.ts';
import { park } from './endpoints.ts';

/** Active endpoints that took nothing for five days while a delivery has failed. */
const FAILING = `
  ${isActive('webhook_endpoints.tenant_id')} and
  status = 'active' and deleted_at is null and failed_since is not null
  and greatest(delivered_at, active_since) <= now() - interval '${SILENT_DAYS} days'`;

/** Disables up to `limit` failing endpoints, which makes mails to owners due; returns how many. */
export async function disableFailing(db: Db, limit: number): Promise<number> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.raw<{ rows: { id: EndpointId }[] }>(
      `update webhook_endpoints
       set status = 'disabled', disabled_reason = 'failing', updated_at = now()
       where id = any(array(
         select id from webhook_endpoints where ${FAILING}
         order by failed_since limit :limit for no key update skip locked
       ))
       returning id`,
      { limit },
    );
    const ids = rows.map(({ id }) => id);
    for (const id of ids) await park(tx, id);
    await dueWork.note(tx, 'tell_of_endpoint', ids);
    return rows.length;
  });
}

/** The content of the mail about a disabled endpoint, and whom to tell. */
export type DisabledNotice = {
  id: EndpointId;
  url: string;
  disabledAt: Date;
  tenantName: string;
  owners: Addressee[];
};

/** Finds the mails about endpoints that are still disabled because they failed. */
export async function findNotices(db: Db, ids: readonly EndpointId[]): Promise<DisabledNotice[]> {
  const { rows } = await db.raw<{ rows: DisabledNotice[] }>(
    `select e.id, e.url, e.updated_at as disabled_at, t.name as tenant_name,
       ${ownersOf('e.tenant_id')} as owners
     from webhook_endpoints e
     join tenants t on t.id = e.tenant_id
     where e.id = any(:ids::uuid[]) and e.status = 'disabled' and e.disabled_reason = 'failing'`,
    { ids: [...ids] },
  );
  return rows;
}
