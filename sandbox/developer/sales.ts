import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { getTrail, listByProviderId, type Trail } from '../../db/payments/trail.ts';
import { Currency } from '../../domain/currency.ts';
import { type PaymentId, TenantId } from '../../domain/ids.ts';
import { PROVIDERS } from '../../domain/payment.ts';
import { money } from '../../domain/texts/wording.ts';
import { minorUnitsOf } from '../providers/shared/amounts.ts';
import { CommandRefused } from '../providers/shared/refusal.ts';
import { explained } from './explained.ts';
import type { Place } from './place.ts';
import { runUrlOf } from './runs.ts';

const INGESTED_WITHIN_MS = 30_000;
const POLL_MS = 50;

/** A sale to be rung; without `for` nobody's, by default at the first provider in its currency. */
export const SaleRequest = z.object({
  for: z.string().trim().min(1).optional(),
  amount: z.string(),
  provider: z.enum(PROVIDERS).default(PROVIDERS[0]),
  currency: Currency.optional(),
});

/** What came of a sale. */
export const SaleReport = z.object({
  sale: z.string(),
  provider: z.enum(PROVIDERS),
  paymentId: z.string(),
  transactionId: z.string(),
  points: z.int(),
  /** The customer's balance afterwards; null when the sale is nobody's. */
  balance: z.int().nullable(),
  summary: z.string(),
  steps: z.array(z.string()),
  /** The run that ingested the webhook, in Temporal's UI. */
  runUrl: z.string().nullable(),
});
export type SaleReport = z.infer<typeof SaleReport>;

/**
 * Rings a sale at a simulated provider, which then sends its webhook as it does for every sale, and
 * waits for what the service makes of it. Throws a CommandRefused when the sale is not possible, or
 * when nothing has come of it in half a minute.
 */
export async function ringSale(
  place: Place,
  request: z.output<typeof SaleRequest>,
): Promise<SaleReport> {
  const person = request.for === undefined ? undefined : personNamed(place, request.for);
  const { merchantId } = place.tenant.accounts[request.provider];
  const till = await place.simulators[request.provider].openTill(merchantId);
  const currency = request.currency ?? till.currency;
  const amount = minorUnitsOf(request.amount, currency);
  const customer = person && { customerId: till.customerOf(person) };
  const paymentId = till.ring({ amount, currency, ...customer });

  const trail = await getTrail(place.db, await untilStored(place, paymentId));
  const { summary, steps } = explained(trail);
  const who = person === undefined ? 'Somebody unknown' : person.name;
  return {
    sale: `${who} paid ${money(amount, { currency })} at ${request.provider}`,
    provider: request.provider,
    paymentId,
    transactionId: trail.payment.id,
    points: trail.payment.pointsAwarded,
    balance: await balanceAfter(place, trail),
    summary,
    steps,
    runUrl: runUrlOf(place, trail.events[0]),
  };
}

function personNamed({ people }: Place, name: string) {
  const person = people.named(name);
  if (person !== undefined) return person;
  const names = people.list().map((each) => each.person.name);
  throw new CommandRefused(`Nobody here is called ${name}, only ${names.join(', ')}.`);
}

async function untilStored({ db, tenant }: Place, paymentId: string): Promise<PaymentId> {
  const tenantId = TenantId.parse(tenant.tenantId);
  for (const until = Date.now() + INGESTED_WITHIN_MS; Date.now() < until; await sleep(POLL_MS)) {
    const [id] = await listByProviderId(db, paymentId, tenantId);
    if (id !== undefined) return id;
  }
  throw new CommandRefused(
    `The sale was rung as ${paymentId}, but it was not ingested within ` +
      `${INGESTED_WITHIN_MS / 1000} s. The till shows whether its webhook was sent and accepted.`,
  );
}

async function balanceAfter({ db }: Place, { payment }: Trail): Promise<number | null> {
  if (payment.walletId === null) return null;
  const wallet = await db('wallets')
    .where({ id: payment.walletId })
    .first<{ balance: number } | undefined>('balance');
  return wallet?.balance ?? null;
}
