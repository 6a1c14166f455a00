import { z } from 'zod';
import { PaymentId } from '../../domain/ids.ts';
import { readMemberNumber } from '../../domain/member-number.ts';
import { OUTCOME_REASONS } from '../../domain/texts/coded-sentence.ts';

const MAX_TYPED_LENGTH = 100;

/** A member number, as it was typed or scanned. */
export const TypedMember = z
  .string()
  .max(MAX_TYPED_LENGTH)
  .transform((text, ctx) => {
    const number = readMemberNumber(text);
    if (number !== undefined) return number;
    ctx.addIssue({ code: 'custom', message: 'This is no member number. Look at each digit.' });
    return z.NEVER;
  })
  .describe('As it was typed or scanned: blanks and `LP1:` before it are ignored.');

/** What a sale earned the member to whom it was attached. */
export const AttachedSale = z.object({
  ok: z.literal(true),
  transactionId: PaymentId,
  points: z.int().describe('Before refunds.'),
  reason: z.enum(OUTCOME_REASONS).nullable().describe('Why it earned nothing, or less.'),
});

export const attachedSaleExample = {
  ok: true,
  transactionId: '5c8f2f6e-6b0d-4e0c-9f5a-2f4f0d6f3a11',
  points: 450,
  reason: null,
} as const;

/** Why a sale may not be attached. */
export const ATTACHING_ISSUES = [
  'tenant_suspended',
  'own_member',
  'sale_taken',
  'sale_too_old',
  'no_rule',
  'member_limit',
  'too_many_attachments',
] as const;

export const AnonymousSaleSchema = z
  .object({
    transactionId: PaymentId,
    amountMinorUnits: z.int(),
    refundedMinorUnits: z.int().describe('Of the amount; less than all of it.'),
    currency: z.string(),
    occurredAt: z.iso.datetime(),
    locationId: z.string().nullable().describe('Where it was made, by the provider’s id.'),
    receipt: z.string().describe('The last four characters of the provider’s id of the payment.'),
  })
  .meta({ id: 'AnonymousSale' });

export const anonymousSaleExample = {
  transactionId: attachedSaleExample.transactionId,
  amountMinorUnits: 4500,
  refundedMinorUnits: 0,
  currency: 'EUR',
  occurredAt: '2026-01-15T10:00:21.000Z',
  locationId: null,
  receipt: '7K2P',
};
