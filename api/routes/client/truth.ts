import { z } from 'zod';
import * as auditLog from '../../../db/audit-log.ts';
import * as truthDays from '../../../db/connections/truth-days.ts';
import type { Tenant } from '../../../db/tenants/tenants.ts';
import { Refusal } from '../../../domain/errors.ts';
import { ConnectionId } from '../../../domain/ids.ts';
import { type Day, dayBefore, dayTextOf } from '../../../domain/intervals.ts';
import { timeZoneOf } from '../../../domain/time-zones.ts';
import { actingBy } from '../../http/access/acting.ts';
import { HttpRefusal } from '../../http/replies/errors.ts';
import { route } from '../../http/route.ts';
import { posConnectionExample } from '../../resources/pos-connection.ts';
import {
  CalendarDay,
  TruthDay,
  truthDayAnswerOf,
  truthDayExample,
} from '../../resources/truth-day.ts';

const PATH = '/client/tenants/:tenantId/pos-connections/:connectionId/truth';
const MOST_DAYS = 400;
const SHOWN_DAYS = 30;
const REPAIRED_DAYS = 30;
const NO_CONNECTION = 'There is no such connection. Check its id.';

export const listTruthDays = route({
  method: 'GET',
  path: PATH,
  access: 'TENANT_ANALYTICS_VIEW',
  programme: true,
  tag: 'Merchant',
  summary: "Compare each day's sales with the provider's own list",
  description:
    "Each night the day before is compared, from half past four on the shop's clocks; 400 days " +
    'are kept. A day that is not listed was not compared yet, or is from before the account was ' +
    'connected.',
  refusals: ['NOT_FOUND'],
  query: z.object({
    from: CalendarDay.optional().describe('The first day; by default 29 days before the last.'),
    to: CalendarDay.optional().describe('The last day; by default today.'),
  }),
  response: z.array(TruthDay),
  examples: { query: { from: '2026-01-01', to: '2026-01-31' }, response: [truthDayExample] },

  async handle({ tenant, params: { connectionId }, query, db, now }) {
    const to = query.to ?? todayOf(tenant, now());
    const from = query.from ?? dayBefore(to, SHOWN_DAYS - 1);
    if (from > to || from <= dayBefore(to, MOST_DAYS)) {
      const message = `\`from\` must not be after \`to\`, nor ${MOST_DAYS} days before it.`;
      throw new Refusal('VALIDATION_ERROR', message, [{ path: 'from', code: 'invalid', message }]);
    }
    if ((await truthDays.findProvider(db, tenant.id, connectionId)) === undefined) {
      throw new Refusal('NOT_FOUND', NO_CONNECTION);
    }
    const days = await truthDays.listDays(db, connectionId, { from, to });
    return days.map(truthDayAnswerOf);
  },
});

export const repairDay = route({
  method: 'POST',
  path: `${PATH}/:day/repair`,
  access: 'TENANT_POS_CONNECT',
  programme: true,
  idempotent: true,
  status: 202,
  tag: 'Merchant',
  summary: 'Bring in the sales of a day that are missing',
  description:
    'The day is compared with the list of the provider at once, and each sale that is missing, ' +
    'or has another refund, is brought in. It earns by the rule that is in effect now. Today and ' +
    'the 30 days before can be asked for; asking again brings in nothing twice.',
  refusals: ['NOT_FOUND'],
  response: z.object({ connectionId: ConnectionId, day: CalendarDay }),
  examples: { response: { connectionId: posConnectionExample.id, day: truthDayExample.day } },

  async handle({ tenant, params: { connectionId, day }, ...deps }) {
    const { tx, now, orchestrator, correlationId, log } = deps;
    const today = todayOf(tenant, now());
    if (
      !CalendarDay.safeParse(day).success ||
      day > today ||
      day < dayBefore(today, REPAIRED_DAYS)
    ) {
      const message = `Only today and the ${REPAIRED_DAYS} days before it can be brought in.`;
      throw new Refusal('VALIDATION_ERROR', message, [{ path: 'day', code: 'invalid', message }]);
    }
    const provider = await truthDays.findProvider(tx, tenant.id, connectionId, 'active');
    if (provider === undefined) throw new Refusal('NOT_FOUND', NO_CONNECTION);
    try {
      // Within the transaction, so that a repeat begins it again unless it was begun.
      await orchestrator.bringIn({ connectionId, tenantId: tenant.id, day }, correlationId);
    } catch (err) {
      log.warn({ event: 'repair_not_begun', err }, 'A day could not be brought in');
      throw new HttpRefusal('INTERNAL_ERROR', 'This cannot be begun now. Try again soon.', 503);
    }
    // Last, since an export of the audit log waits until this transaction ends.
    await auditLog.insert(tx, {
      ...actingBy(deps),
      action: 'day.bring_in',
      targetType: 'connection',
      targetId: connectionId,
      tenantId: tenant.id,
      reason: null,
      before: {},
      after: { provider, day },
    });
    return { connectionId, day };
  },
});

function todayOf(tenant: Tenant, now: Date): Day {
  return dayTextOf(now, timeZoneOf(tenant, now) ?? 'UTC');
}
