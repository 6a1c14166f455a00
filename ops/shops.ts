import * as auditLog from '../db/audit-log.ts';
import { close } from '../db/tenants/closing.ts';
import { listShopViews, type ShopConnection, type ShopView } from '../db/tenants/shop-views.ts';
import * as tenantStatus from '../db/tenants/status.ts';
import * as tenants from '../db/tenants/tenants.ts';
import { TenantId } from '../domain/ids.ts';
import {
  type Call,
  type Command,
  type Done,
  describeTable,
  onlyArgument,
  parseId,
  requireNoArguments,
  UsageError,
} from './command.ts';

const PAGE = 500;
/** How many days of sales say whether all is well. */
const DAYS = 7;

export const listShops: Command = {
  usage: 'shops',
  summary: `Lists all shops: last heard, sales of ${DAYS} days and why not credited, connection`,
  async run({ args, db }) {
    requireNoArguments(args);
    const data: ShopView[] = [];
    let page: ShopView[];
    do {
      page = await listShopViews(db, { after: data.at(-1), limit: PAGE, days: DAYS });
      data.push(...page);
    } while (page.length === PAGE);
    // What needs attention comes first, then who was not heard for the longest; last who never was.
    const ordered = data.toSorted(
      (one, other) =>
        Number(other.needsAttention) - Number(one.needsAttention) || heard(one) - heard(other),
    );
    const heading = ['SHOP', 'NAME', 'STATUS', 'LAST HEARD', 'CONNECTION', 'CREDITED'];
    const columns = [...heading, 'NOT CREDITED', 'DELIVERIES'];
    return { data: ordered, text: describeTable(columns, ordered.map(rowOf)) };
  },
};

const heard = ({ lastHeardAt }: ShopView) => lastHeardAt?.getTime() ?? Number.MAX_VALUE;

function rowOf(shop: ShopView): unknown[] {
  const reasons = Object.entries(shop.notCredited)
    .toSorted(([, one], [, other]) => other - one)
    .map(([reason, count]) => `${count} ${reason}`);
  return [
    shop.id,
    shop.name,
    shop.status,
    shop.lastHeardAt,
    shop.connections.map(stateOf).join(', ') || 'none',
    shop.credited,
    reasons.join(', ') || '-',
    deliveriesOf(shop),
  ];
}

function stateOf({ provider, status, needsReconnect, isSilent }: ShopConnection): string {
  if (needsReconnect) return `${provider} TO RECONNECT`;
  return `${provider} ${isSilent ? 'SILENT' : status}`;
}

function deliveriesOf({ deliveriesWaiting, endpointsDisabled }: ShopView): string {
  const parts = [
    ...(deliveriesWaiting > 0 ? [`${deliveriesWaiting} waiting`] : []),
    ...(endpointsDisabled > 0 ? [`${endpointsDisabled} DISABLED`] : []),
  ];
  return parts.join(', ') || 'ok';
}

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
