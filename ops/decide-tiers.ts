import { decideNight } from '../activities/tiers.ts';
import { readTerms } from '../db/tenants/standings.ts';
import * as tenants from '../db/tenants/tenants.ts';
import { TenantId } from '../domain/ids.ts';
import { dayTextOf } from '../domain/intervals.ts';
import {
  type Command,
  parseId,
  requireDay,
  requireNoArguments,
  requireProgrammes,
  UsageError,
} from './command.ts';
import { requireSandbox } from './sandbox-only.ts';

export const decideTiers: Command = {
  usage: 'decide-tiers TENANT DAY',
  summary: "Decides which tiers a tenant's customers have from a day on, as each night",
  async run(call) {
    const [tenant, day, ...others] = call.args;
    if (tenant === undefined) throw new UsageError('TENANT is missing.');
    if (day === undefined) throw new UsageError('DAY is missing.');
    requireNoArguments(others);
    const tenantId = parseId(TenantId, tenant, 'TENANT');
    requireDay(day);
    requireProgrammes(call.db);
    const { status } = await tenants.get(call.db, tenantId);
    if (status === 'suspended') throw new Error('The tenant is suspended: its tiers stay.');
    const terms = await readTerms(call.db, tenantId);
    if (terms === undefined) throw new Error('The tenant has published no programme.');
    const { decidedOn, timeZone } = terms;
    if (decidedOn !== null && day < decidedOn)
      throw new Error(`They were decided for ${decidedOn} already, which is later.`);
    if (day > dayTextOf(new Date(), timeZone)) requireSandbox(call);
    const decided = (await decideNight(call.db, { tenantId, day })) ?? { wallets: 0, changed: 0 };
    const text = `${day}: ${decided.changed} of ${decided.wallets} customers have another tier.\n`;
    return { data: { day, ...decided }, text };
  },
};
