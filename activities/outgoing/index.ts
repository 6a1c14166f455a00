import { listDueTenants } from '../../db/outgoing/fan-out.ts';
import type { TenantId } from '../../domain/ids.ts';
import { type DeliveryDeps, type DeliveryRound, deliverRound } from './deliver.ts';

export type { DeliveryDeps, DeliveryRound } from './deliver.ts';

/** How many runs reconcile starts at a time. */
const START_BATCH = 100;

/** The delivery of tenants' events, whose state is in Postgres. Each may run any number of times. */
export function createDeliveryActivities(deps: DeliveryDeps) {
  return {
    /**
     * Delivers what is due for a tenant, for some seconds, and says when to go on; null when nothing
     * waits.
     */
    deliverEvents: (tenantId: TenantId): Promise<DeliveryRound> => deliverRound(deps, tenantId),

    /** Lists tenants for which something is to be delivered, by id. Reads only. */
    async listDueDeliveries(after: TenantId | null): Promise<{ id: TenantId }[]> {
      const tenantIds = await listDueTenants(deps.db, { after, limit: START_BATCH });
      return tenantIds.map((id) => ({ id }));
    },
  };
}
