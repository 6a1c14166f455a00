import { z } from 'zod';
import * as programmes from '../../../db/tenants/programme.ts';
import { ProgrammeInput } from '../../../domain/programme.ts';
import { actingBy } from '../../http/access/acting.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { route } from '../../http/route.ts';
import {
  ProgrammeVersionSchema,
  programmeAnswerOf,
  programmeExample,
  tiersExample,
} from '../../resources/programme.ts';

/** Where a page starts: below a version, which is an integer of Postgres. */
const Position = z.tuple([z.literal('version'), z.coerce.number().pipe(z.int32())]);

export const listProgrammeVersions = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/programme',
  access: 'TENANT_VIEW',
  programme: true,
  tag: 'Merchant',
  summary: 'List the versions of the programme of the tenant, newest first',
  description: 'Each governs from `publishedAt` on; the highest one is active.',
  query: z.object({ limit: pageLimit(50), cursor: pageCursor(Position) }),
  response: z.array(ProgrammeVersionSchema),
  examples: { response: [programmeExample] },

  handle({ tenant, query, db }) {
    const before = query.cursor?.[1];
    return readPage(query.limit, {
      read: (limit) => programmes.list(db, tenant.id, { limit, before }),
      show: programmeAnswerOf,
      position: ({ version }) => ['version', String(version)],
    });
  },
});

export const publishProgramme = route({
  method: 'POST',
  path: '/client/tenants/:tenantId/programme',
  access: 'TENANT_REWARD_CONFIG',
  programme: true,
  status: 201,
  idempotent: true,
  tag: 'Merchant',
  summary: 'Publish a version of the programme',
  description:
    'Each is complete: what is left out has its default. It governs at once, and changes ' +
    'nothing of sales made before. The first one sets the time zone of the shop, which is needed ' +
    'where its country has several times (`time_zone_required`) and stays (`time_zone_set`).',
  issues: ['time_zone_required', 'time_zone_set'],
  body: ProgrammeInput,
  response: ProgrammeVersionSchema,
  examples: {
    body: { validityMonths: 12, returnWindowDays: 14, tillAttach: true, tiers: tiersExample },
    response: programmeExample,
  },

  async handle({ tenant, body, tx, ...request }) {
    const published = { tenantId: tenant.id, body, acting: actingBy(request) };
    return programmeAnswerOf(await programmes.publish(tx, published));
  },
});
