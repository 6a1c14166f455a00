import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { makeOverdue } from '../linearizability/overdue.ts';
import { ask, askFor, outcomeOf } from '../simulation/client.ts';
import type { Turn } from './turn.ts';

const Wallets = z.array(z.object({ id: z.string(), balance: z.int() }));
const History = z.array(z.object({ id: z.string() }));
const Confirmed = z.object({ redemptionCode: z.string() });

/** A tenth of a balance at most, so that there is always something left to redeem. */
const SHARE = 10;
/** Of a hundred codes: those that are used, and those whose time is made to run out early. */
const [USED, MADE_OVERDUE] = [50, 25];
const [SOONEST_USE_MS, LATEST_USE_MS] = [500, 3_000];
const [SOONEST_OVERDUE_MS, LATEST_OVERDUE_MS] = [5_000, 15_000];

/** Reads what the consumer's home screen shows. */
export async function readWallets({ deployment, accounts, consumer }: Turn): Promise<void> {
  accounts.counts.reads_of_wallets += 1;
  const token = await consumer.token();
  await askFor([deployment.url], Wallets, { path: '/consumer/wallets', token });
}

/** Reads the newest entries of the consumer's wallet, if there is one already. */
export async function readHistory({ deployment, accounts, consumer }: Turn): Promise<void> {
  if (consumer.walletId === undefined) return;
  accounts.counts.reads_of_history += 1;
  const path = `/consumer/wallets/${consumer.walletId}/history`;
  await askFor([deployment.url], History, { path, token: await consumer.token() });
}

/**
 * Confirms a redemption. Half of the codes are then used in the shop; of the others some run out of
 * time soon, and some after their quarter of an hour.
 */
export async function redeem(turn: Turn): Promise<void> {
  const { deployment, accounts, consumer, draw } = turn;
  const [points, fate] = [draw(1, 1_000_000), draw(0, 100)];
  const usedAfterMs = draw(SOONEST_USE_MS, LATEST_USE_MS);
  const overdueAfterMs = draw(SOONEST_OVERDUE_MS, LATEST_OVERDUE_MS);
  const token = await consumer.token();
  const [wallet] = await askFor([deployment.url], Wallets, { path: '/consumer/wallets', token });
  if (wallet === undefined || wallet.balance < SHARE) return;
  consumer.walletId = wallet.id;

  const most = Math.floor(wallet.balance / SHARE);
  const code = await confirm(turn, { walletId: wallet.id, points: 1 + (points % most) });
  if (code === undefined) return;
  if (fate < USED) {
    await sleep(usedAfterMs);
    await burn(turn, code);
  } else if (fate < USED + MADE_OVERDUE) {
    await sleep(overdueAfterMs);
    accounts.counts.codes_made_overdue += 1;
    await makeOverdue(deployment.db, code, []);
  }
}

async function confirm(
  { deployment, accounts, consumer }: Turn,
  { walletId, points }: { walletId: string; points: number },
): Promise<string | undefined> {
  accounts.counts.confirms += 1;
  const answer = await ask([deployment.url], {
    method: 'POST',
    path: `/consumer/wallets/${walletId}/redeem/confirm`,
    body: { pointsToRedeem: points },
    token: await consumer.token(),
  }).catch((error: unknown) => {
    accounts.unanswered.confirms += 1;
    throw error;
  });
  const outcome = outcomeOf(answer);
  // A refund, or another confirm, has taken the points meanwhile.
  if (outcome === 'insufficient_balance') return undefined;
  if (outcome !== 'ok') throw new Error(`A confirm was refused: ${outcome}`);
  const { redemptionCode } = Confirmed.parse(answer.body);
  accounts.codes.push(redemptionCode);
  return redemptionCode;
}

async function burn({ deployment, accounts, consumer }: Turn, code: string): Promise<void> {
  accounts.counts.burns += 1;
  const { operator, tenantId } = consumer.shop;
  const answer = await ask([deployment.url], {
    method: 'POST',
    path: '/pos/redemptions/complete',
    body: { code },
    token: await operator.token(),
    shop: tenantId,
  }).catch((error: unknown) => {
    accounts.unanswered.burns += 1;
    throw error;
  });
  const outcome = outcomeOf(answer);
  if (outcome !== 'ok') throw new Error(`A burn was refused: ${outcome}`);
  accounts.burned.add(code);
}
