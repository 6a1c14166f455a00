import * as auditLog from '../db/audit-log.ts';
import { disconnectBy } from '../db/connections/disconnecting.ts';
import { findTenantOf } from '../db/connections/overview.ts';
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
    const act = { acting: auditLog.byOps(operator), reason: reason.trim() };
    const { account, wasActive } = await db.transaction(async (tx) => {
      const tenantId = await findTenantOf(tx, id);
      const found = tenantId && (await disconnectBy(tx, { tenantId, id }, act));
      if (!found) throw new Refusal('NOT_FOUND', 'There is no such connection.');
      return found;
    });
    const { provider, merchantId } = account;
    const text = wasActive
      ? `${provider} ${merchantId} is disconnected. Where the provider can revoke its token, the ` +
        'worker does so within a minute.\n'
      : `${provider} ${merchantId} was disconnected already.\n`;
    return { data: { connectionId: id, provider, merchantId, wasActive }, text };
  },
};
