import type { ConnectionId, TenantId } from '../../domain/ids.ts';
import * as auditLog from '../audit-log.ts';
import type { Tx } from '../connection.ts';
import * as posConnections from './pos-connections.ts';

/**
 * Disconnects a tenant's connection and records who did it, and why. Doing it again changes nothing
 * and is not recorded. Undefined when the tenant has no connection of that id.
 */
export async function disconnectBy(
  tx: Tx,
  { tenantId, id }: { tenantId: TenantId; id: ConnectionId },
  { acting, reason }: { acting: auditLog.Acting; reason: string | null },
): Promise<posConnections.Disconnected | undefined> {
  const found = await posConnections.disconnect(tx, tenantId, id);
  if (!found?.wasActive) return found;
  const { provider, merchantId } = found.account;
  await auditLog.insert(tx, {
    ...acting,
    action: 'connection.disconnect',
    targetType: 'connection',
    targetId: id,
    tenantId,
    reason,
    before: { provider, merchantId, status: 'active' },
    after: { provider, merchantId, status: 'disconnected' },
  });
  return found;
}
