import { z } from 'zod';
import * as attachments from '../../../db/payments/attachments.ts';
import { PaymentId, UserId } from '../../../domain/ids.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { route } from '../../http/route.ts';
import {
  ATTACHING_ISSUES,
  AttachedSale,
  attachedSaleExample,
  TypedMember,
} from '../../resources/attachment.ts';
import { memberCardExample } from '../../resources/member.ts';
import { ColleagueSchema, colleagueExample, colleagueOf } from '../../resources/redemption.ts';
import { attach } from '../pos/attaching.ts';

const MERCHANT_HOURS = 30 * 24;

export const attachSaleByMerchant = route({
  method: 'POST',
  path: '/client/tenants/:tenantId/attachments',
  access: 'TENANT_PROFILE_UPDATE',
  programme: true,
  idempotent: true,
  tag: 'Merchant',
  summary: 'Attach an anonymous sale of the last 30 days to a customer, by the member number',
  description:
    'Also where staff may not do so at the till. It earns by the rule in effect now, less what ' +
    'was refunded; an adjustment takes it back.',
  refusals: ['NOT_FOUND', 'FORBIDDEN', 'RULE_REJECTED'],
  issues: ATTACHING_ISSUES,
  body: z.object({ transactionId: PaymentId, member: TypedMember }),
  response: AttachedSale,
  examples: {
    body: { transactionId: attachedSaleExample.transactionId, member: memberCardExample.qr },
    response: attachedSaleExample,
  },

  async handle({ body: { transactionId: saleId, member: memberNumber }, ...request }) {
    return attach(request, { saleId, memberNumber, withinHours: MERCHANT_HOURS });
  },
});

const Attachment = z
  .object({
    transactionId: PaymentId,
    userId: UserId.describe('The customer.'),
    points: z.int().describe('Before refunds.'),
    operator: ColleagueSchema.describe('Who attached it.'),
    byOperatorForMember30Days: z
      .int()
      .describe('How many sales of the last 30 days the same person attached to this customer.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Attachment' });

/** Where a page starts: after an attached sale. */
const Position = z.tuple([z.literal('attachment'), PaymentId]);

export const listAttachments = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/attachments',
  access: 'TENANT_ANALYTICS_VIEW',
  programme: true,
  tag: 'Merchant',
  summary: 'List the sales that were attached to customers, those attached last first',
  query: z.object({
    operatorId: UserId.optional().describe('Attached by this person.'),
    userId: UserId.optional().describe('Attached to this customer.'),
    limit: pageLimit(50),
    cursor: pageCursor(Position),
  }),
  response: z.array(Attachment),
  examples: {
    response: [
      {
        transactionId: attachedSaleExample.transactionId,
        userId: '3f0c9d7e-52b8-4d6b-8a53-0a4d2c1e9b77',
        points: 450,
        operator: colleagueExample,
        byOperatorForMember30Days: 1,
        createdAt: '2026-01-15T10:02:00.000Z',
      },
    ],
  },

  handle({ tenant, db, query: { limit, cursor, ...filters } }) {
    const after = cursor?.[1];
    return readPage(limit, {
      read: (most) => attachments.list(db, tenant.id, { ...filters, limit: most, after }),
      show: ({ operatorId, operatorEmail, operatorName, createdAt, ...attached }) => ({
        transactionId: attached.transactionId,
        userId: attached.userId,
        points: attached.points,
        operator: colleagueOf({ userId: operatorId, email: operatorEmail, name: operatorName }),
        byOperatorForMember30Days: attached.byOperatorForMember,
        createdAt: createdAt.toISOString(),
      }),
      position: ({ transactionId }) => ['attachment', transactionId],
    });
  },
});
