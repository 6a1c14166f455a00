import { z } from 'zod';
import { sumSpans } from '../../../db/tenants/interval-sums.ts';
import * as rehearsals from '../../../db/tenants/rehearsals.ts';
import { Refusal } from '../../../domain/errors.ts';
import { RehearsalId } from '../../../domain/ids.ts';
import { RehearsalInput, spanOfRehearsal } from '../../../domain/rehearsal.ts';
import { timeZoneOf } from '../../../domain/time-zones.ts';
import { refuseReport } from '../../http/access/admission.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { route } from '../../http/route.ts';
import {
  RehearsalReportSchema,
  RehearsalSchema,
  rehearsalAnswerOf,
  rehearsalExample,
  rehearsalReportExample,
  rehearsalReportOf,
} from '../../resources/rehearsal.ts';

/** Where a page starts: below a rehearsal. */
const Position = z.tuple([z.literal('rehearsal'), RehearsalId]);

const MOST_SALES = 2_000_000;
const AGAIN_SECONDS = 60;

export const beginRehearsal = route({
  method: 'POST',
  path: '/client/tenants/:tenantId/rehearsals',
  access: 'TENANT_REWARD_CONFIG',
  programme: true,
  status: 202,
  idempotent: true,
  tag: 'Merchant',
  summary: 'Rehearse a rule over sales of the past',
  description:
    'Each sale of the last days is decided once more by the draft, and nothing is moved: ask for ' +
    'the rehearsal until it is done, mostly within seconds. One runs at a time, and four may be ' +
    'begun in 24 hours.',
  refusals: ['RULE_REJECTED', 'RATE_LIMITED'],
  issues: ['too_many_sales', 'too_many_reports'],
  body: RehearsalInput,
  response: RehearsalSchema,
  examples: {
    body: { days: 90, rule: { conversionRate: 0.12, minSpendMinorUnits: 500 } },
    response: rehearsalExample,
  },

  async handle({ tenant, body: draft, tx, afterCommit, orchestrator, now, ...request }) {
    const timeZone = timeZoneOf(tenant, now()) ?? 'UTC';
    const [sums] = await sumSpans(tx, tenant, [spanOfRehearsal(draft, now(), timeZone)]);
    if ((sums?.matched.count ?? 0) > MOST_SALES) {
      const message = `These days have more than ${MOST_SALES} sales. Rehearse over fewer days.`;
      const params = { max: MOST_SALES };
      throw new Refusal('RULE_REJECTED', message, { issue: 'too_many_sales', params });
    }
    const createdBy = request.user.id;
    const begun = await rehearsals.begin(tx, { tenantId: tenant.id, draft, createdBy });
    if (begun === undefined) {
      const message =
        'Another rehearsal runs, or four were begun in the last 24 hours. Wait, then try again.';
      return refuseReport(message, AGAIN_SECONDS);
    }
    const context = { tenantId: tenant.id, correlationId: request.correlationId };
    afterCommit(() => orchestrator.rehearseLater(begun.id, context));
    return rehearsalAnswerOf(begun);
  },
});

export const listRehearsals = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/rehearsals',
  access: 'TENANT_ANALYTICS_VIEW',
  programme: true,
  tag: 'Merchant',
  summary: 'List the rehearsals of the tenant, newest first',
  description: 'Those of the last 90 days, without what came out of them.',
  query: z.object({ limit: pageLimit(50), cursor: pageCursor(Position) }),
  response: z.array(RehearsalSchema),
  examples: { response: [rehearsalExample] },

  handle({ tenant, query, db }) {
    const before = query.cursor?.[1] ?? null;
    return readPage(query.limit, {
      read: (limit) => rehearsals.list(db, tenant.id, { limit, before }),
      show: rehearsalAnswerOf,
      position: ({ id }) => ['rehearsal', id],
    });
  },
});

export const showRehearsal = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/rehearsals/:rehearsalId',
  access: 'TENANT_ANALYTICS_VIEW',
  programme: true,
  tag: 'Merchant',
  summary: 'Show what a rehearsal found',
  description: 'While it runs, and when it has failed, only what was to be rehearsed.',
  refusals: ['NOT_FOUND'],
  response: RehearsalReportSchema,
  examples: { response: rehearsalReportExample },

  async handle({ tenant, params, db }) {
    const found = await rehearsals.find(db, tenant.id, params.rehearsalId);
    if (found === undefined) throw new Refusal('NOT_FOUND', 'There is no such rehearsal.');
    return rehearsalReportOf(found);
  },
});
