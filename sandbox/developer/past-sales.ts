import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import * as tenures from '../../db/connections/tenures.ts';
import { ConnectionId } from '../../domain/ids.ts';
import { PROVIDERS } from '../../domain/payment.ts';
import { CommandRefused } from '../providers/shared/refusal.ts';
import type { Place } from './place.ts';

export const PastSalesRequest = z.object({ days: z.coerce.number().int().min(1).max(365) });

/** What came of the sales of past days. */
export const PastSalesReport = z.object({
  sales: z.int(),
  /** Those of people whom the shop knows. */
  known: z.int(),
  points: z.int(),
});
export type PastSalesReport = z.infer<typeof PastSalesReport>;

const [DAY_MINUTES, HOUR_MINUTES] = [1_440, 60];
const INGESTED_WITHIN_MS = 120_000;
const POLL_MS = 250;

/**
 * Rings the sales of a café's past days, up to yesterday, and waits until all are ingested. Their
 * till was offline until now, so that each webhook comes today, with the time of then.
 */
export async function ringPastSales(
  place: Place,
  { days }: z.output<typeof PastSalesRequest>,
): Promise<PastSalesReport> {
  const { db, tenant } = place;
  const provider = PROVIDERS.find((name) => place.simulators[name].sellsOffline);
  if (provider === undefined) throw new CommandRefused('No till dates its sales back.');
  const from = new Date(Date.now() - (days + 1) * DAY_MINUTES * 60_000);
  const connection = await db('pos_connections')
    .where({ tenantId: tenant.tenantId, provider, status: 'active' })
    .first<{ id: string } | undefined>('id');
  if (connection === undefined) throw new CommandRefused(`${provider} is not connected.`);
  await tenures.backdate(db, ConnectionId.parse(connection.id), from);

  const { merchantId } = tenant.accounts[provider];
  const till = await place.simulators[provider].openTill(merchantId);
  const customers = place.people.list().map(({ person }) => till.customerOf(person));
  const rung = salesOf(days).map(({ customer, ...sale }) => {
    const customerId = customers[customer];
    return till.ring({
      ...sale,
      currency: till.currency,
      ...(customerId !== undefined && { customerId }),
    });
  });
  return untilStored(place, rung);
}

type PastSale = { minutesAgo: number; amount: number; customer: number };

/**
 * The sales of a café: more on Saturdays, some without a customer, the first one's most often. Of
 * the same days they are the same each time.
 */
function salesOf(days: number): PastSale[] {
  let seed = 42;
  const below = (most: number) => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed % most;
  };
  const ofDay = (daysAgo: number): PastSale[] => {
    const isBusy = new Date(Date.now() - daysAgo * DAY_MINUTES * 60_000).getUTCDay() === 6;
    return Array.from({ length: (isBusy ? 5 : 2) + below(4) }, () => ({
      minutesAgo: daysAgo * DAY_MINUTES + below(10 * HOUR_MINUTES),
      amount: 280 + 10 * below(below(4) === 0 ? 400 : 120),
      // A number that no customer has makes the sale anonymous.
      customer: below(3) === 0 ? 0 : below(9),
    }));
  };
  return Array.from({ length: days }, (_, nth) => ofDay(days - nth)).flat();
}

async function untilStored({ db, tenant }: Place, rung: string[]): Promise<PastSalesReport> {
  for (const until = Date.now() + INGESTED_WITHIN_MS; Date.now() < until; await sleep(POLL_MS)) {
    const stored = await db('payments')
      .where({ tenantId: tenant.tenantId })
      .whereIn('providerPaymentId', rung)
      .select<{ userId: string | null; pointsAwarded: number }[]>('userId', 'pointsAwarded');
    if (stored.length < rung.length) continue;
    const points = stored.reduce((sum, { pointsAwarded }) => sum + pointsAwarded, 0);
    const known = stored.filter(({ userId }) => userId !== null).length;
    return { sales: rung.length, known, points };
  }
  throw new CommandRefused(
    `${rung.length} sales were rung, and some were not ingested within two minutes. Till and log ` +
      'of the worker show why.',
  );
}
