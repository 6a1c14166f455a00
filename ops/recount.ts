import { countByProvider, forget as forgetConnections } from '../db/connections/counts.ts';
import { countOne, forget } from '../db/tenants/statistics.ts';
import { find } from '../db/tenants/tenants.ts';
import { Refusal } from '../domain/errors.ts';
import { TenantId } from '../domain/ids.ts';
import { byProvider } from '../domain/payment.ts';
import { type Command, describeFields, parseId, requireNoArguments } from './command.ts';

export const recount: Command = {
  usage: 'recount [TENANT]',
  summary: 'Counts the wallets and payments of a tenant again, or all connections',
  async run({ args, db }) {
    const [tenant, ...others] = args;
    requireNoArguments(others);
    if (tenant === undefined) {
      await forgetConnections(db);
      const counts = await countByProvider(db);
      const data = byProvider((name) => counts[name].active);
      return { data, text: describeFields(data) };
    }
    const tenantId = parseId(TenantId, tenant, 'TENANT');
    if ((await find(db, tenantId)) === undefined) {
      throw new Refusal('TENANT_NOT_FOUND', 'There is no such tenant.');
    }
    await forget(db, tenantId);
    const wallets = await countOne(db, 'wallets', tenantId);
    const payments = await countOne(db, 'payments', tenantId);
    const data = { wallets, payments };
    return { data, text: describeFields(data) };
  },
};
