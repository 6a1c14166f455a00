import * as auditLog from '../db/audit-log.ts';
import type { Db } from '../db/connection.ts';
import { findTenantOf } from '../db/connections/overview.ts';
import * as posConnections from '../db/connections/pos-connections.ts';
import { Refusal } from '../domain/errors.ts';
import { ConnectionId } from '../domain/ids.ts';
import { type Command, onlyArgument, parseId, UsageError } from './command.ts';

export const disconnect: Command = {
  usage: 'connection disconnect ID --reason TEXT',
  options: ['reason'],
  summary: "Ends a tenant's connection, and has its token revoked where the provider can",
  async run({ args, db, operator, options: { reason } }) {
    const id = parseId(ConnectionId, onlyArgument(args, 'ID'), 'ID');
    if (reason === undefined || reason.trim() === '') throw new UsageError('--reason is missing.');
    const { account, wasActive } = await disconnectRecorded(db, id, {
      reason: reason.trim(),
      operator,
    });
    const { provider, merchantId } = account;
    const text = wasActive
      ? `${provider} ${merchantId} is disconnected. Where the provider can revoke its token, the ` +
        'worker does so within a minute.\n'
      : `${provider} ${merchantId} was disconnected already.\n`;
    return { data: { connectionId: id, provider, merchantId, wasActive }, text };
  },
};

/** Disconnects and records it in one transaction; again it changes nothing. */
async function disconnectRecorded(
  db: Db,
  id: ConnectionId,
  { reason, operator }: { reason: string; operator: string },
): Promise<posConnections.Disconnected> {
  return db.transaction(async (tx) => {
    const tenantId = await findTenantOf(tx, id);
    const found = tenantId && (await posConnections.disconnect(tx, tenantId, id));
    if (!found) throw new Refusal('NOT_FOUND', 'There is no such connection.');
    if (!found.wasActive) return found;
    const { provider, merchantId } = found.account;
    await auditLog.insert(tx, {
      ...auditLog.byOps(operator),
      action: 'connection.disconnect',
      targetType: 'connection',
      targetId: id,
      tenantId,
      reason,
      before: { provider, merchantId, status: 'active' },
      after: { provider, merchantId, status: 'disconnected' },
    });
    return found;
  });
}
