import { z } from 'zod';
import * as auditLog from '../../../db/audit-log.ts';
import * as listing from '../../../db/redemptions/listing.ts';
import * as resending from '../../../db/redemptions/resending.ts';
import { Refusal } from '../../../domain/errors.ts';
import { RedemptionId, UserId } from '../../../domain/ids.ts';
import { maskContacts } from '../../../domain/privacy.ts';
import { REDEMPTION_STATUSES } from '../../../domain/redemption.ts';
import { requireResendable } from '../../../domain/resending.ts';
import { actingBy } from '../../http/access/acting.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { ABOUT_CSV, csvAnswer, csvParameters } from '../../http/replies/table-answer.ts';
import { route } from '../../http/route.ts';
import {
  ColleagueSchema,
  colleagueExample,
  colleagueOf,
  MaskedPerson,
  RedemptionSchema,
  redemptionExample,
  withoutCode,
} from '../../resources/redemption.ts';
import { codeColumns } from '../../resources/table-columns.ts';

/** A redemption as the merchant of its shop sees it. */
export const ShopRedemptionSchema = RedemptionSchema.omit({ code: true })
  .extend({
    consumer: MaskedPerson.extend({
      phone: z.string().nullable().describe('Masked except for its last three digits.'),
    }).describe('Whose points they are.'),
    usedBy: ColleagueSchema.nullable().describe(
      'The operator who completed it. Null unless the status is `used`.',
    ),
  })
  .meta({ id: 'ShopRedemption' });

const { code: _, ...shown } = redemptionExample;
export const shopRedemptionExample = {
  ...shown,
  status: 'used',
  usedAt: '2026-01-15T10:04:40.000Z',
  consumer: {
    userId: '2c4e6a80-1b3d-4f5a-8c7e-9d0b1a2f3e4c',
    email: 'a***@example.com',
    phone: '***678',
  },
  usedBy: colleagueExample,
} as const;

/** Where a page starts: after a redemption. */
const Position = z.tuple([z.literal('redemption'), RedemptionId]);

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** What a list of redemptions can be narrowed down to. */
export const RedemptionFilters = z.object({
  status: z.enum(REDEMPTION_STATUSES).optional().describe('Only those with this status now.'),
  from: time.optional().describe('Issued at this time or later.'),
  to: time.optional().describe('Issued before this time.'),
  userId: UserId.optional().describe('Only those of this consumer.'),
});

export const listRedemptions = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/redemptions',
  access: 'TENANT_ANALYTICS_VIEW',
  csv: true,
  tag: 'Merchant',
  summary: 'List the redemptions of the tenant, newest first',
  description: `Filters narrow the list down together. ${ABOUT_CSV}`,
  query: RedemptionFilters.extend({
    ...csvParameters,
    limit: pageLimit(50),
    cursor: pageCursor(Position),
  }),
  response: z.array(ShopRedemptionSchema),
  examples: { response: [shopRedemptionExample] },

  async handle({ tenant, query, db, ...request }) {
    const { cursor, limit: pageSize, columns, timeZone, ...filter } = query;
    const read = (limit: number, after: RedemptionId | undefined) =>
      listing.listOfTenant(db, tenant.id, { ...filter, limit, after });
    if (request.wantsCsv) {
      const { language, now } = request;
      const asked = { columns, timeZone, language, tenant, now };
      return csvAnswer<listing.ShopRedemption>(asked, {
        name: 'codes',
        columns: codeColumns,
        row: ShopRedemptionSchema,
        read: (most, last) => read(most, last?.id),
        show: shopRedemptionAnswerOf,
      });
    }
    return readPage(pageSize, {
      read: (limit) => read(limit, cursor?.[1]),
      show: shopRedemptionAnswerOf,
      position: ({ id }) => ['redemption', id],
    });
  },
});

export const showTenantRedemption = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/redemptions/:redemptionId',
  access: 'TENANT_ANALYTICS_VIEW',
  tag: 'Merchant',
  summary: 'Show a redemption of the tenant',
  refusals: ['NOT_FOUND'],
  response: ShopRedemptionSchema,
  examples: { response: shopRedemptionExample },

  async handle({ tenant, params, db }) {
    const redemption = await listing.findInShop(db, tenant.id, params.redemptionId);
    if (redemption === undefined) throw new Refusal('NOT_FOUND', 'There is no such redemption.');
    return shopRedemptionAnswerOf(redemption);
  },
});

export const resendCode = route({
  method: 'POST',
  path: '/client/tenants/:tenantId/redemptions/:redemptionId/mail',
  access: 'TENANT_CONSUMER_VIEW',
  status: 202,
  idempotent: true,
  tag: 'Merchant',
  summary: 'Send the mail with an open code again',
  description:
    'To the address that its consumer has verified now, which is not shown. Three times a code, ' +
    'and not within a minute of the last mail.',
  refusals: ['NOT_FOUND', 'RULE_REJECTED'],
  issues: [
    'code_used',
    'code_expired',
    'code_cancelled',
    'no_verified_email',
    'mail_underway',
    'mailed_lately',
    'mailed_often',
  ],
  response: z.object({ ok: z.literal(true).describe('The mail is on its way.') }),
  examples: { response: { ok: true } },

  async handle({ tenant: { id: tenantId }, params, tx, afterCommit, orchestrator, ...request }) {
    const { redemptionId: id } = params;
    const code = await resending.lock(tx, tenantId, id);
    requireResendable(code);
    const resent = await resending.mailAgain(tx, tenantId, id);
    await auditLog.insert(tx, {
      ...actingBy(request),
      action: 'code.mail',
      targetType: 'wallet',
      targetId: code.walletId,
      tenantId,
      reason: null,
      before: {},
      after: { redemptionId: id, resent },
    });
    const { correlationId } = request;
    afterCommit(() => orchestrator.followRedemptionLater({ id, tenantId, correlationId, resent }));
    return { ok: true as const };
  },
});

/** Builds what the merchant sees of a redemption. */
export function shopRedemptionAnswerOf(redemption: listing.ShopRedemption) {
  const { consumer, usedBy } = redemption;
  return {
    ...withoutCode(redemption),
    consumer: { userId: consumer.userId, ...maskContacts(consumer) },
    usedBy: usedBy && colleagueOf(usedBy),
  };
}
