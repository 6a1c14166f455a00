import { deleteOld } from '../../db/outgoing/events.ts';
import { listDueTenants } from '../../db/outgoing/fan-out.ts';
import type { TenantId } from '../../domain/ids.ts';
import { untilDone } from '../progress.ts';
import { type DeliveryDeps, type DeliveryRound, deliverRound } from './deliver.ts';

export type { DeliveryDeps } from './deliver.ts';

/** How many runs reconcile starts at a time. */
const START_BATCH = 100;
/** How many events one statement deletes, and for how long one activity goes on. */
const EXPIRED = { batch: 5_000, forMs: 600_000 };

/**
 * The delivery of tenants' events, whose state is in Postgres. Each may run any number of times.
 */
export function createDeliveryActivities(deps: DeliveryDeps) {
  return {
    /**
     * Delivers what is due for a tenant, for some seconds, and says when to go on; null when
     * nothing waits.
     */
    deliverEvents: (tenantId: TenantId): Promise<DeliveryRound> => deliverRound(deps, tenantId),

    /** Lists tenants for which something is to be delivered, by id. Reads only. */
    async listDueDeliveries(after: TenantId | null): Promise<{ id: TenantId }[]> {
      const tenantIds = await listDueTenants(deps.db, { after, limit: START_BATCH });
      return tenantIds.map((id) => ({ id }));
    },

    /** Deletes events that are over 30 days old, with their deliveries; returns how many. */
    async deleteTenantEvents(): Promise<number> {
      return untilDone(EXPIRED, (batch) => deleteOld(deps.db, batch));
    },
  };
}
