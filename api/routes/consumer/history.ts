import { z } from 'zod';
import type { Db } from '../../../db/connection.ts';
import { findImported } from '../../../db/ledger/adjusted.ts';
import { findExpiries } from '../../../db/ledger/expired.ts';
import * as ledger from '../../../db/ledger/postings.ts';
import * as wallets from '../../../db/ledger/wallets.ts';
import { one } from '../../../db/one.ts';
import * as payments from '../../../db/payments/payments.ts';
import { listOwned } from '../../../db/redemptions/listing.ts';
import { Refusal } from '../../../domain/errors.ts';
import { EntryId, PaymentId, RedemptionId } from '../../../domain/ids.ts';
import { explainEntry } from '../../../domain/texts/explanation.ts';
import { route } from '../../http/route.ts';
import {
  CodedExplanation,
  codedExample,
  DecisionSchema,
  decidedPayment,
  decisionExample,
  stepsExample,
} from '../../resources/decision.ts';

const EntryExplanation = z
  .object({
    entryId: EntryId,
    entry_type: z.enum(['credit', 'debit']),
    points: z.int(),
    reason: z.enum(ledger.ENTRY_REASONS),
    createdAt: z.iso.datetime(),
    summary: z.string().describe('What the entry was for, in a sentence.'),
    steps: z
      .array(z.string())
      .describe('How its points were reached, with the values of the formula.'),
    coded: CodedExplanation,
    decision: DecisionSchema.nullable().describe(
      'The decision about the payment, if a payment was the cause.',
    ),
  })
  .meta({ id: 'EntryExplanation' });

export const explainHistoryEntry = route({
  method: 'GET',
  path: '/consumer/wallets/:walletId/history/:entryId/explain',
  access: 'WALLET_HISTORY_OWN',
  tag: 'Consumer',
  summary: 'Explain a ledger entry of one of your wallets',
  refusals: ['NOT_FOUND'],
  response: EntryExplanation,
  examples: {
    response: {
      entryId: '3d1f6a8e-7c44-4e0a-9b9e-5a2c8d7e6f10',
      entry_type: 'credit',
      points: 100,
      reason: 'purchase',
      createdAt: '2026-01-15T10:00:02.000Z',
      summary: 'You earned 100 points.',
      steps: [
        'You paid 12.55 EUR (1255 minor units).',
        'You were recognised by your e-mail.',
        ...stepsExample.slice(2),
      ],
      coded: codedExample,
      decision: decisionExample,
    },
  },

  async handle({ params, user, db }) {
    const wallet = await wallets.getOwned(db, params.walletId, user.id);
    const entry = await ledger.find(db, wallet.id, params.entryId);
    if (entry === undefined)
      throw new Refusal('NOT_FOUND', 'There is no such entry. Check its id.');

    const { explanation, payment } = one(await explainEntries(db, wallet, [entry]), 'explanation');
    return {
      ...explanation,
      entryId: entry.id,
      entry_type: entry.entryType,
      points: entry.points,
      reason: entry.reason,
      createdAt: entry.createdAt.toISOString(),
      decision: payment?.decision ?? null,
    };
  },
});

/**
 * Explains entries of a wallet to its owner, in their order: each with the payment that caused it,
 * if one did. What the causes are is read at once.
 */
export async function explainEntries<Entry extends ledger.LedgerEntry>(
  db: Db,
  { id, tenantId, userId }: Pick<wallets.WalletView, 'id' | 'tenantId' | 'userId'>,
  entries: readonly Entry[],
) {
  const sourcesOf = (type: ledger.SourceType) => [
    ...new Set(entries.flatMap((entry) => (entry.sourceType === type ? entry.sourceId : []))),
  ];
  const [paid, redeemed, expired, adjusted] = [
    sourcesOf('payment').map((source) => PaymentId.parse(source)),
    sourcesOf('redemption').map((source) => RedemptionId.parse(source)),
    sourcesOf('expiry'),
    sourcesOf('adjustment'),
  ];
  const payment = byId(paid.length > 0 ? await payments.findAll(db, tenantId, paid) : []);
  const code = byId(redeemed.length > 0 ? await listOwned(db, [userId], redeemed) : []);
  const expiries = expired.length > 0 ? await findExpiries(db, id, expired) : undefined;
  const imported = adjusted.length > 0 ? await findImported(db, id, adjusted) : undefined;
  return entries.map((entry) => {
    const its = payment.get(entry.sourceId);
    const expiry = expiries?.get(entry.sourceId);
    const balanceBefore = entry.balanceAfter + entry.points;
    const explanation = explainEntry(entry, {
      payment: its && decidedPayment(its),
      code: code.get(entry.sourceId),
      expiry: expiry && { ...expiry, balanceBefore },
      isImported: imported?.has(entry.sourceId),
    });
    return { entry, explanation, payment: its };
  });
}

function byId<Row extends { id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}
