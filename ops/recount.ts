import * as auditLog from '../db/audit-log.ts';
import type { Db } from '../db/connection.ts';
import { countByProvider, forget as forgetConnections } from '../db/connections/counts.ts';
import { countOne, forget } from '../db/tenants/statistics.ts';
import * as tenants from '../db/tenants/tenants.ts';
import { TenantId } from '../domain/ids.ts';
import { byProvider } from '../domain/payment.ts';
import { type Command, type Done, describeFields, parseId, requireNoArguments } from './command.ts';

export const recount: Command = {
  usage: 'recount [TENANT]',
  summary: 'Counts the wallets and payments of a tenant again, or all connections',
  async run({ args, db, operator }) {
    const [tenant, ...others] = args;
    requireNoArguments(others);
    if (tenant === undefined) {
      return repair(db, operator, {
        target: { targetType: 'connection', targetId: null, tenantId: null },
        forget: forgetConnections,
        count: countConnections,
      });
    }
    const tenantId = parseId(TenantId, tenant, 'TENANT');
    await tenants.get(db, tenantId);
    return repair(db, operator, {
      target: { targetType: 'tenant', targetId: tenantId, tenantId },
      forget: (tx) => forget(tx, tenantId),
      count: (tx) => countTenant(tx, tenantId),
    });
  },
};

type Counted = {
  target: Pick<auditLog.NewAuditEntry, 'targetType' | 'targetId' | 'tenantId'>;
  forget(db: Db): Promise<void>;
  count(db: Db): Promise<auditLog.AuditedState>;
};

async function repair(db: Db, operator: string, { target, forget, count }: Counted): Promise<Done> {
  const before = await count(db);
  const data = await db.transaction(async (tx) => {
    await forget(tx);
    const after = await count(tx);
    await auditLog.insert(tx, {
      ...auditLog.byOps(operator),
      ...target,
      action: 'count.repair',
      reason: null,
      before,
      after,
    });
    return after;
  });
  return { data, text: describeFields(data) };
}

async function countConnections(db: Db): Promise<auditLog.AuditedState> {
  const counts = await countByProvider(db);
  return byProvider((name) => counts[name].active);
}

async function countTenant(db: Db, tenantId: TenantId): Promise<auditLog.AuditedState> {
  const wallets = await countOne(db, 'wallets', tenantId);
  return { wallets, payments: await countOne(db, 'payments', tenantId) };
}
