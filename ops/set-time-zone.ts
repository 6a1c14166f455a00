import * as auditLog from '../db/audit-log.ts';
import type { Tx } from '../db/connection.ts';
import { isAnyTaken } from '../db/tenants/expiry-runs.ts';
import * as timeZones from '../db/tenants/time-zone.ts';
import { Refusal } from '../domain/errors.ts';
import { TenantId } from '../domain/ids.ts';
import { ianaName, isTimeZone, timeZoneOf, zonesOf } from '../domain/time-zones.ts';
import { type Command, parseId, requireNoArguments, UsageError } from './command.ts';

export const setTimeZone: Command = {
  usage: 'set-time-zone TENANT ZONE',
  summary: "Corrects the time zone of a tenant, whose midnights begin its reports' days",
  async run({ args, db, operator }) {
    const [tenant, zone, ...others] = args;
    if (tenant === undefined) throw new UsageError('TENANT is missing.');
    if (zone === undefined) throw new UsageError('ZONE is missing.');
    requireNoArguments(others);
    const tenantId = parseId(TenantId, tenant, 'TENANT');
    if (!isTimeZone(zone)) {
      throw new UsageError(`${zone} is not the name of a time zone, such as Europe/Berlin.`);
    }
    const timeZone = ianaName(zone);
    const before = await db.transaction((tx) => replace(tx, { tenantId, timeZone, operator }));
    const isSame = before === timeZone;
    const text = isSame ? `${timeZone} already.` : `${timeZone} now; it was ${before}.`;
    return { data: { before, timeZone }, text: `The time zone is ${text}\n` };
  },
};

/** Sets the time zone and records it; the same again changes nothing and is not recorded. */
async function replace(
  tx: Tx,
  { tenantId, timeZone, operator }: { tenantId: TenantId; timeZone: string; operator: string },
): Promise<string> {
  const clocks = await timeZones.lock(tx, tenantId);
  if (clocks === undefined) throw new Refusal('TENANT_NOT_FOUND', 'There is no such tenant.');
  const before = timeZoneOf(clocks, new Date());
  if (before === undefined) throw new Refusal('VALIDATION_ERROR', NONE);
  if (before === timeZone) return before;
  const { country } = clocks;
  if (country !== null && !zonesOf(country).includes(timeZone)) {
    const zones = zonesOf(country).join(', ');
    throw new Refusal('VALIDATION_ERROR', `The time zones of ${country} are ${zones}.`);
  }
  if (await isAnyTaken(tx, tenantId)) throw new Refusal('VALIDATION_ERROR', TAKEN);
  await timeZones.replace(tx, tenantId, timeZone);
  await auditLog.insert(tx, {
    ...auditLog.byOps(operator),
    action: 'tenant.set_time_zone',
    targetType: 'tenant',
    targetId: tenantId,
    tenantId,
    reason: null,
    before: { timeZone: before },
    after: { timeZone },
  });
  return before;
}

const TAKEN =
  'Points have expired by months of this time zone, which now stays: what was taken depends on it.';

const NONE =
  'The tenant has no time zone to correct: its country is not known, or has several times. Until ' +
  'then its days are those of UTC, but for who asks for `timeZone`.';
