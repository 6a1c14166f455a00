import * as auditLog from '../db/audit-log.ts';
import * as tenantStatus from '../db/tenants/status.ts';
import { find } from '../db/tenants/tenants.ts';
import { Refusal } from '../domain/errors.ts';
import { TenantId } from '../domain/ids.ts';
import { type Call, type Command, type Done, onlyArgument, parseId } from './command.ts';

export const suspendTenant: Command = {
  usage: 'suspend-tenant TENANT',
  summary: 'Suspends a shop: nobody earns or redeems points there from now on',
  run: (call) => change(call, tenantStatus.suspend),
};

export const reinstateTenant: Command = {
  usage: 'reinstate-tenant TENANT',
  summary: 'Lifts a suspension: what the shop sold meanwhile is decided again by the worker',
  run: (call) => change(call, tenantStatus.reinstate),
};

async function change(
  { args, db, operator }: Call,
  work: typeof tenantStatus.suspend,
): Promise<Done> {
  const tenantId = parseId(TenantId, onlyArgument(args, 'TENANT'), 'TENANT');
  await work(db, tenantId, { acting: auditLog.byOps(operator), reason: null });
  const tenant = await find(db, tenantId);
  if (tenant === undefined) throw new Refusal('TENANT_NOT_FOUND', 'There is no such tenant.');
  const { status } = tenant;
  return { data: { tenantId, status }, text: `The shop is ${status}.\n` };
}
