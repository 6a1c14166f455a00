import * as auditLog from '../db/audit-log.ts';
import { close } from '../db/tenants/closing.ts';
import * as tenantStatus from '../db/tenants/status.ts';
import * as tenants from '../db/tenants/tenants.ts';
import { TenantId } from '../domain/ids.ts';
import {
  type Call,
  type Command,
  type Done,
  onlyArgument,
  parseId,
  UsageError,
} from './command.ts';

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

export const closeTenant: Command = {
  usage: 'tenant close TENANT --reason TEXT',
  options: ['reason'],
  summary: 'Closes the shop of a merchant who leaves, for good; what it sold stays',
  async run({ args, db, operator, options: { reason } }) {
    const tenantId = parseId(TenantId, onlyArgument(args, 'TENANT'), 'TENANT');
    if (reason === undefined || reason.trim() === '') throw new UsageError('--reason is missing.');
    await tenants.get(db, tenantId);
    const act = { acting: auditLog.byOps(operator), reason: reason.trim() };
    const closed = await close(db, tenantId, act);
    const text =
      `The shop is closed. ${closed.people} people worked for it, and do not any more; ` +
      `${closed.connections} accounts were disconnected.\n`;
    return { data: { tenantId, ...closed }, text };
  },
};

async function change(
  { args, db, operator }: Call,
  work: typeof tenantStatus.suspend,
): Promise<Done> {
  const tenantId = parseId(TenantId, onlyArgument(args, 'TENANT'), 'TENANT');
  await work(db, tenantId, { acting: auditLog.byOps(operator), reason: null });
  const { status } = await tenants.get(db, tenantId);
  return { data: { tenantId, status }, text: `The shop is ${status}.\n` };
}
