import { z } from 'zod';
import type { ReleasedPayment } from '../../../db/payments/payments.ts';
import type { PersonData } from '../../../db/users/own-data.ts';
import { PaymentId, UserId, WalletId } from '../../../domain/ids.ts';
import { LANGUAGES } from '../../../domain/language.ts';
import { ROLES, USER_STATUSES } from '../../../domain/roles.ts';
import { type Explanation, explainPayment } from '../../../domain/texts/explanation.ts';
import { WalletProof } from '../../../domain/wallet-proof.ts';
import { decidedPayment, stepsExample } from '../../resources/decision.ts';
import { RedemptionSchema, redemptionExample } from '../../resources/redemption.ts';
import { Transaction, transactionExample } from '../../resources/transaction.ts';
import { WalletSchema, walletExample } from '../../resources/wallet.ts';
import { NoticeChoicesSchema, noticeChoicesExample } from '../notices.ts';
import { proofExample } from './wallet-proof.ts';
import { entryExample, LedgerEntrySchema } from './wallets.ts';

// The parts of what a person can have of all that is held about them.

const InWords = z
  .object({
    summary: z.string().describe('What happened, in a sentence.'),
    steps: z.array(z.string()).describe('How it came about, with the values of the formula.'),
  })
  .describe('As its owner reads it in the app.');

/** What the row of a user says. */
export const Person = z.object({
  id: UserId,
  email: z.string().nullable(),
  emailVerified: z.boolean().describe('Whether the identity provider has verified it.'),
  phone: z.string().nullable(),
  phoneVerified: z.boolean().describe('Whether the identity provider has verified it.'),
  name: z.string().nullable().describe('As the identity provider says; null if it says none.'),
  language: z.enum(LANGUAGES).nullable().describe('In which mails to you are written.'),
  memberNumber: z.string().nullable().describe('Null until the member card is first looked at.'),
  role: z.enum(ROLES),
  status: z.enum(USER_STATUSES),
  createdAt: z.iso.datetime(),
});

/** A ledger entry, with its explanation. */
export const ExplainedEntry = LedgerEntrySchema.extend({ explanation: InWords });

/** A payment that was matched to the person. */
export const OwnSale = Transaction.omit({ consumer: true, walletId: true }).extend({
  tipMinorUnits: z.int().describe('The tip, which earns nothing.'),
  explanation: InWords,
});

/** A sale that somebody attached to the person. */
export const OwnAttachment = z.object({
  transactionId: PaymentId,
  attachedAt: z.iso.datetime().describe('When somebody attached it, by the member number.'),
});

/** The tier that is kept for a wallet. */
export const OwnStanding = z.object({
  tierKey: z.string().describe('Which tier of the programme it is.'),
  since: z.iso.date().describe('The day on which it was reached, or kept.'),
  keptUntil: z.iso.date().describe('The day on which it is decided again.'),
});

/** A mail about points that would expire. */
export const OwnNotice = z.object({
  walletId: WalletId,
  month: z.string().describe('At whose end the points would expire: `2026-03`.'),
});

/** A browser that is told of points. */
export const OwnBrowser = z.object({
  endpoint: z.string().describe('Where its push service takes what it is told.'),
  createdAt: z.iso.datetime().describe('When it was switched on there.'),
});

/** What is held about a person. */
export const OwnData = z
  .object({
    person: Person.describe('Who you are, as far as the service knows.'),
    wallets: z
      .array(
        z.object({
          wallet: WalletSchema,
          entries: z
            .array(ExplainedEntry)
            .describe('Newest first. They add up to the balance of the wallet.'),
          redemptions: z.array(RedemptionSchema).describe('Newest first.'),
          sales: z
            .array(OwnSale)
            .describe('The payments that were matched to you; those that occurred last first.'),
          attachments: z
            .array(OwnAttachment)
            .describe('Which of them staff attached; those that were attached last first.'),
          standing: OwnStanding.nullable().describe('Your tier; null without one.'),
          proof: WalletProof.nullable().describe(
            'What `GET …/proof` answers; null where it refuses, until the wallet moves again.',
          ),
        }),
      )
      .describe('Oldest first.'),
    notices: z.array(OwnNotice).describe('The mails about points that would expire.'),
    noticeChoices: NoticeChoicesSchema.describe('Of what you want to be told by mail.'),
    browsers: z.array(OwnBrowser).describe('Where you switched notices on; oldest first.'),
    notErased: z.array(z.string()).describe('What is kept elsewhere, and not in this file.'),
  })
  .meta({ id: 'OwnData' });

/** What the service can neither give nor erase. */
export const NOT_ERASED: readonly string[] = [
  'What administrators wrote as the reason of something they did is kept as they wrote it.',
  'Backups hold what was there when they were made, until newer ones replace them.',
  'What was sent about payments that failed, were made before the shop connected its account, or ' +
    'could not be read, goes after at most 121 days.',
  'Those who processed your payments keep records of their own: the shop knows who they are.',
];

/** Shows what the row of a user says. */
export function personOf(person: PersonData) {
  return { ...person, createdAt: person.createdAt.toISOString() };
}

/** Shows a payment to the person whom it was matched to. */
export function ownSaleOf(payment: ReleasedPayment) {
  return {
    ...payment,
    tipMinorUnits: payment.decision.tipMinorUnits,
    occurredAt: payment.occurredAt.toISOString(),
    createdAt: payment.createdAt.toISOString(),
    explanation: explainPayment(decidedPayment(payment), 'consumer'),
  };
}

const explanation: Pick<Explanation, 'summary' | 'steps'> = {
  summary: 'You earned 100 points.',
  steps: ['You paid 12.55 EUR (1255 minor units).', ...stepsExample.slice(2)],
};
const { consumer: _, walletId: __, ...saleExample } = transactionExample;

export const ownDataExample: z.input<typeof OwnData> = {
  person: {
    id: '5b2f0d3e-0c1f-4f6e-9a3b-7f1d2c3e4a5b',
    email: 'ada@example.com',
    emailVerified: true,
    phone: null,
    phoneVerified: false,
    name: 'Ada Lovelace',
    language: 'en',
    memberNumber: '079927398713',
    role: 'consumer',
    status: 'active',
    createdAt: '2026-01-15T10:00:00.000Z',
  },
  wallets: [
    {
      wallet: walletExample,
      entries: [{ ...entryExample, explanation }],
      redemptions: [redemptionExample],
      sales: [{ ...saleExample, tipMinorUnits: 0, explanation }],
      attachments: [{ transactionId: saleExample.id, attachedAt: '2026-01-15T10:04:40.000Z' }],
      standing: { tierKey: 'gold', since: '2026-01-15', keptUntil: '2027-01-15' },
      proof: proofExample,
    },
  ],
  notices: [{ walletId: walletExample.id, month: '2026-03' }],
  noticeChoices: noticeChoicesExample,
  browsers: [{ endpoint: 'https://push.example/3f9a', createdAt: '2026-01-15T10:05:00.000Z' }],
  notErased: [...NOT_ERASED],
};
