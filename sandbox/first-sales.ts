import { PROVIDERS } from '../domain/payment.ts';
import type { Place } from './developer/place.ts';
import { ringSale, SaleRequest } from './developer/sales.ts';
import { PEOPLE } from './identity/people.ts';
import type { Progress } from './progress.ts';

const AMOUNT = '12.50';

/**
 * Returns Ada's balance as a sentence. If she never had points at the tenant, as at a first start,
 * a sale is rung for her at each simulated provider before.
 */
export async function balanceOfAda(place: Place, progress: Progress): Promise<string> {
  const before = await findBalance(place);
  if (before !== undefined) return `Ada's balance is ${before} points.`;
  await progress.step(
    'First sales',
    () => ringSales(place),
    (outcome) => outcome,
  );
  const balance = (await findBalance(place)) ?? 0;
  return `Ada's balance is ${balance} points: it was 0 before these sales.`;
}

/** Rings the sales as `npm run sale` does. All works without their points: a failure is said. */
async function ringSales(place: Place): Promise<string> {
  const ring = (provider: string) =>
    ringSale(place, SaleRequest.parse({ for: 'ada', amount: AMOUNT, provider }));
  try {
    const reports = await Promise.all(PROVIDERS.map(ring));
    const points = reports.reduce((sum, report) => sum + report.points, 0);
    return `Ada paid ${AMOUNT} USD at each till and earned ${points} points`;
  } catch (error) {
    return `not credited: ${error instanceof Error ? error.message : error}`;
  }
}

/** Returns Ada's balance at the tenant; undefined before her first points there. */
async function findBalance({ db, tenant }: Place): Promise<number | undefined> {
  const wallet = await db('wallets')
    .join('users', 'users.id', 'wallets.userId')
    .where({ 'users.sub': PEOPLE.consumer.sub, 'wallets.tenantId': tenant.tenantId })
    .first<{ balance: number } | undefined>('wallets.balance');
  return wallet?.balance;
}
