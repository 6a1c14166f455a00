import { z } from 'zod';
import { monthText, parseMonth } from '../../domain/intervals.ts';
import { ask, askFor, outcomeOf } from './client.ts';
import { dayIn } from './days.ts';
import type { TierAward } from './model/points.ts';
import type { View, WalletView } from './model/view.ts';
import type { Play } from './playing.ts';

const OwnProgramme = z.object({
  tier: z
    .object({
      key: z.string(),
      since: z.string(),
      keptUntil: z.string(),
      multiplier: z.number(),
    })
    .nullable(),
  qualifyingMinorUnits: z.literal(0),
});

/** The tier that the owner of a wallet is shown. */
export async function ownTierOf(
  { deployment }: Play,
  { id, token }: { id: string; token: string },
): Promise<Pick<WalletView, 'tier' | 'qualifying'>> {
  const path = `/consumer/wallets/${id}/programme`;
  const shown = await askFor(deployment.urls, OwnProgramme, { path, token });
  const { tier, qualifyingMinorUnits: qualifying } = shown;
  if (tier === null) return { tier, qualifying };
  const { key, since, keptUntil, multiplier } = tier;
  const days = { since: dayIn(since), keptUntil: dayIn(keptUntil) };
  return { tier: { key, ...days, multiplier }, qualifying };
}

const Explained = z.object({
  decision: z.object({
    awards: z
      .object({
        tier: z
          .object({ key: z.string(), multiplier: z.number(), points: z.int().positive() })
          .optional(),
      })
      .optional(),
  }),
});

/** What tiers gave for the sales that have earned, by their ids. */
export async function tierAwardsOf(
  { deployment, shop }: Play,
  sales: readonly { id: string; pointsAwarded: number }[],
): Promise<ReadonlyMap<string, TierAward | null>> {
  const { tenantId, merchant: token, tierAwards } = shop;
  const earning = sales.filter((sale) => sale.pointsAwarded > 0 && !tierAwards.has(sale.id));
  await Promise.all(
    earning.map(async ({ id }) => {
      const path = `/client/tenants/${tenantId}/transactions/${id}/explain`;
      const { decision } = await askFor(deployment.urls, Explained, { path, token });
      tierAwards.set(id, decision.awards?.tier ?? null);
    }),
  );
  return tierAwards;
}

const points = z.int().nonnegative();
const Liability = z.object({
  month: z.string(),
  pointsOutstanding: points,
  openCodes: points,
  months: z.array(
    z.object({
      month: z.string(),
      earned: points,
      reversed: points,
      used: points,
      expired: points,
      left: points,
    }),
  ),
});

/** What was owed after each month that was to be ended, by how many months it is ahead. */
export async function owedOf({ deployment, shop }: Play): Promise<View['owed']> {
  const owed: View['owed'] = {};
  for (const [ahead, month] of shop.months) {
    const path = `/client/tenants/${shop.tenantId}/liability?month=${monthText(month)}`;
    const answer = await ask(deployment.urls, { path, token: shop.merchant });
    owed[ahead] = outcomeOf(answer) === 'NOT_FOUND' ? null : shownAs(answer.body, month - ahead);
  }
  return owed;
}

/** All points of a history are earned in the month of the history. */
function shownAs(body: unknown, present: number): View['owed'][string] {
  const { months, openCodes, pointsOutstanding: outstanding } = Liability.parse(body);
  return {
    months: months.map(({ month, earned, reversed, used, expired, left }) => {
      if (parseMonth(month) !== present) throw new Error(`Nothing was earned in ${month}.`);
      return { earned, reversed, used, expired, left };
    }),
    openCodes,
    outstanding,
  };
}
