import { setTimeout as sleep } from 'node:timers/promises';
import type { Sale } from '../../bench/sales.ts';
import type { Provider } from '../../domain/payment.ts';
import { Random } from '../../sandbox/providers/shared/random.ts';
import { atRate } from '../topology/client.ts';
import { type Accounts, newAccounts } from './accounts.ts';
import type { Deployment } from './deployment.ts';
import { readHistory, readWallets, redeem } from './requests.ts';
import { type Consumer, POINTS_ON_TOP } from './shops.ts';
import type { Draw, Turn } from './turn.ts';

export type Traffic = {
  accounts: Accounts;
  /**
   * Begins so many operations per second, whatever becomes of earlier ones, while `shouldContinue`
   * holds. Resolves once all of them have ended.
   */
  offer(perSecond: number, shouldContinue: () => boolean): Promise<void>;
};

/** How many of a hundred operations each is. */
const MIXTURE: ReadonlyArray<readonly [number, (turn: Turn) => Promise<void>]> = [
  [34, alphaSale],
  [6, alphaApproval],
  [14, betaSale],
  [3, betaApproval],
  [8, refund],
  [12, redeem],
  [12, readWallets],
  [11, readHistory],
];
/** Of a rule that gives a point for ten. */
const MINOR_UNITS_PER_POINT = 10;
const [LEAST_POINTS, MOST_POINTS] = [20, 500];
const [SOONEST_CAPTURE_MS, LATEST_CAPTURE_MS] = [500, 5_000];

/** Creates the traffic of these consumers, whose choices follow from the seed. */
export function createTraffic(
  deployment: Deployment,
  consumers: readonly Consumer[],
  seed: number,
): Traffic {
  const random = new Random(seed);
  const accounts = newAccounts();
  const draw: Draw = (least, below) => least + (random.next() % (below - least));
  const act = async () => {
    const consumer = consumers[draw(0, consumers.length)];
    if (consumer === undefined) throw new Error('There are no consumers.');
    await operationAt(draw(0, 100))({ deployment, accounts, consumer, draw }).catch(
      (error: unknown) => void accounts.unexpected.push(String(error)),
    );
  };
  return {
    accounts,
    async offer(perSecond, shouldContinue) {
      await atRate(perSecond, shouldContinue, act);
    },
  };
}

function operationAt(percent: number): (turn: Turn) => Promise<void> {
  let upTo = 0;
  for (const [share, operation] of MIXTURE) {
    upTo += share;
    if (percent < upTo) return operation;
  }
  throw new Error('The shares of the operations are less than a hundred.');
}

async function alphaSale({ deployment, accounts, consumer, draw }: Turn): Promise<void> {
  accounts.counts.alpha_sales += 1;
  const points = draw(LEAST_POINTS, MOST_POINTS);
  // Half of the events name the buyer; for the others alpha is asked who the customer is.
  const { email, alphaId: customerId, shop } = consumer;
  const buyer = draw(0, 2) === 0 ? { buyerEmail: email } : { customerId };
  const sale = { ...saleOf(shop.alphaMerchantId, points), ...buyer, capture: 'at-once' as const };
  const { id } = deployment.providers.alpha.ring(sale);
  note(accounts, { provider: 'alpha', id, merchantId: sale.merchantId, email, points });
}

async function alphaApproval({ deployment, accounts, consumer, draw }: Turn): Promise<void> {
  accounts.counts.alpha_approved_sales += 1;
  const points = draw(LEAST_POINTS, MOST_POINTS);
  const captureMs = draw(SOONEST_CAPTURE_MS, LATEST_CAPTURE_MS);
  const { email, shop } = consumer;
  const { alpha } = deployment.providers;
  const sale = saleOf(shop.alphaMerchantId, points);
  const { id } = alpha.ring({ ...sale, buyerEmail: email, capture: 'later' });
  await sleep(captureMs);
  alpha.capture(id);
  note(accounts, { provider: 'alpha', id, merchantId: sale.merchantId, email, points });
}

async function betaSale({ deployment, accounts, consumer, draw }: Turn): Promise<void> {
  accounts.counts.beta_sales += 1;
  const points = draw(LEAST_POINTS, MOST_POINTS);
  const { email, betaId: customerId, shop } = consumer;
  const sale = saleOf(shop.betaMerchantId, points);
  const { id } = deployment.providers.beta.ring({ ...sale, customerId });
  note(accounts, { provider: 'beta', id, merchantId: sale.merchantId, email, points });
}

async function betaApproval({ deployment, accounts, consumer, draw }: Turn): Promise<void> {
  accounts.counts.beta_pending_sales += 1;
  const points = draw(LEAST_POINTS, MOST_POINTS);
  const settledMs = draw(SOONEST_CAPTURE_MS, LATEST_CAPTURE_MS);
  const { email, betaId: customerId, shop } = consumer;
  const { beta } = deployment.providers;
  const sale = saleOf(shop.betaMerchantId, points);
  const { id } = beta.ring({ ...sale, customerId, result: 'PENDING' });
  await sleep(settledMs);
  beta.settle(id, 'SUCCESS');
  note(accounts, { provider: 'beta', id, merchantId: sale.merchantId, email, points });
}

function saleOf(merchantId: string, points: number) {
  return { merchantId, amount: amountOf(points) };
}

/** What a sale has to cost to earn so many points. */
function amountOf(points: number): number {
  return (points - POINTS_ON_TOP) * MINOR_UNITS_PER_POINT;
}

type Rung = { provider: Provider; id: string; merchantId: string; email: string; points: number };

function note(accounts: Accounts, { provider, id, merchantId, email, points }: Rung): void {
  const sale: Sale = { paymentId: id, merchantId, email, amount: points };
  accounts.sales.set(id, sale);
  accounts.settled.push({ provider, id });
}

/** Refunds half of a sale of any age, once. */
async function refund({ deployment, accounts, draw }: Turn): Promise<void> {
  const { settled, sales } = accounts;
  const [nth, last] = [draw(0, Math.max(1, settled.length)), settled.at(-1)];
  const chosen = settled[nth];
  if (chosen === undefined || last === undefined) return;
  settled[nth] = last;
  settled.pop();
  const sale = sales.get(chosen.id);
  if (sale === undefined) return;
  accounts.counts.refunds += 1;
  const refunded = Math.floor(sale.amount / 2);
  const { alpha, beta } = deployment.providers;
  const minorUnits = amountOf(sale.amount) / 2;
  if (chosen.provider === 'alpha') alpha.refund(chosen.id, minorUnits);
  else beta.refund(chosen.id, minorUnits);
  sales.set(chosen.id, { ...sale, refunded });
}
