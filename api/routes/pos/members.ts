import { z } from 'zod';
import type { Db } from '../../../db/connection.ts';
import * as attachments from '../../../db/payments/attachments.ts';
import * as programmes from '../../../db/tenants/programme.ts';
import { Refusal } from '../../../domain/errors.ts';
import type { TenantId } from '../../../domain/ids.ts';
import { initialsOf } from '../../../domain/privacy.ts';
import { countUnknown } from '../../http/access/code-guesses.ts';
import { timeParameter } from '../../http/requests/filters.ts';
import { route } from '../../http/route.ts';
import {
  AnonymousSaleSchema,
  ATTACHING_ISSUES,
  AttachedSale,
  anonymousSaleExample,
  attachedSaleExample,
  TypedMember,
} from '../../resources/attachment.ts';
import { memberCardExample } from '../../resources/member.ts';
import { attach, getMember } from './attaching.ts';

export const lookupMember = route({
  method: 'POST',
  path: '/pos/members/lookup',
  access: 'REDEMPTION_VERIFY',
  shop: 'named',
  limit: 'lookups',
  programme: true,
  tag: 'Operator',
  summary: 'Look up a customer by the member number',
  description:
    'For shops whose programme lets staff attach a sale to a customer. An unknown number counts ' +
    'as an unknown code.',
  refusals: ['NOT_FOUND', 'FORBIDDEN'],
  issues: ['till_attach_off'],
  body: z.object({ member: TypedMember }),
  response: z.object({
    memberNumber: z.string().describe('As it is written on the card.'),
    initials: z.string().describe('Of the name, or else of the e-mail address; may be empty.'),
  }),
  examples: {
    body: { member: memberCardExample.qr },
    response: { memberNumber: memberCardExample.memberNumber, initials: 'AL' },
  },

  async handle({ body: { member: memberNumber }, ...request }) {
    await requireTillAttach(request.db, request.tenant.id);
    const found = await getMember(request, memberNumber);
    return { memberNumber, initials: initialsOf(found) };
  },
});

const MINUTE = '2026-01-15T10:00:00.000Z';

export const findAnonymousSales = route({
  method: 'GET',
  path: '/pos/anonymous-sales',
  access: 'REDEMPTION_VERIFY',
  shop: 'named',
  limit: 'lookups',
  programme: true,
  tag: 'Operator',
  summary: 'Find the sale of a receipt that named no customer',
  description:
    'At most three sales of the last 24 hours, from two minutes before that minute to two after ' +
    'it. One that finds nothing counts as an unknown code.',
  refusals: ['FORBIDDEN'],
  issues: ['till_attach_off'],
  query: z.object({
    amountMinorUnits: z.coerce
      .number()
      .int()
      .min(1)
      .describe('As the receipt says it, without a tip.'),
    at: timeParameter().describe('The time on the receipt; seconds are ignored.'),
  }),
  response: z.array(AnonymousSaleSchema),
  examples: {
    query: { amountMinorUnits: '4500', at: MINUTE },
    response: [anonymousSaleExample],
  },

  async handle({ query, tenant, user, db, afterwards }) {
    await requireTillAttach(db, tenant.id);
    const found = await attachments.findAnonymous(db, tenant.id, query);
    if (found.length === 0) {
      const minute = query.at.toISOString().slice(0, MINUTE_LENGTH);
      const text = `sale ${query.amountMinorUnits} ${minute}`;
      afterwards((deps) => countUnknown(deps, { userId: user.id, tenantId: tenant.id, text }));
    }
    return found.map((sale) => ({ ...sale, occurredAt: sale.occurredAt.toISOString() }));
  },
});

/** How many characters of a time in ISO 8601 say the minute. */
const MINUTE_LENGTH = '2026-01-15T10:00'.length;
const TILL_HOURS = 24;

export const attachSaleAtTill = route({
  method: 'POST',
  path: '/pos/anonymous-sales/:transactionId/attach',
  access: 'REDEMPTION_VERIFY',
  shop: 'named',
  programme: true,
  idempotent: true,
  tag: 'Operator',
  summary: 'Attach a sale of the last 24 hours to a customer, by the member number',
  description:
    'It earns by the rule in effect now, less what was refunded. The same member again gets the ' +
    'same answer, and nothing twice.',
  refusals: ['NOT_FOUND', 'FORBIDDEN', 'RULE_REJECTED'],
  issues: ['till_attach_off', ...ATTACHING_ISSUES],
  body: z.object({ member: TypedMember }),
  response: AttachedSale,
  examples: { body: { member: memberCardExample.qr }, response: attachedSaleExample },

  async handle({ params, body, ...request }) {
    await requireTillAttach(request.db, request.tenant.id);
    const { transactionId: saleId } = params;
    return attach(request, { saleId, memberNumber: body.member, withinHours: TILL_HOURS });
  },
});

async function requireTillAttach(db: Db, tenantId: TenantId): Promise<void> {
  const programme = await programmes.findActive(db, tenantId);
  if (programme?.tillAttach === true) return;
  const message = 'This shop does not attach sales to customers at the till.';
  throw new Refusal('FORBIDDEN', message, 'till_attach_off');
}
