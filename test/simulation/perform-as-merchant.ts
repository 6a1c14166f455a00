import { z } from 'zod';
import { decideNight } from '../../activities/tiers.ts';
import { TenantId } from '../../domain/ids.ts';
import { outcomeOf } from './client.ts';
import { dayText, today } from './days.ts';
import type { Play } from './playing.ts';
import { askAsMerchant } from './shop.ts';
import type { StepOf, Terms } from './steps.ts';
import { untilReached } from './until-reached.ts';

const DAY_MS = 86_400_000;
/** A rule counts as in effect a minute early, because the clocks of two machines may differ. */
const TOLERANCE_MS = 60_000;
const SOON_MS = 1_500;

/** Publishes a rule, with or without a date. */
export async function publish(play: Play, { terms, from }: StepOf<'rule'>): Promise<void> {
  const { deployment, shop, model } = play;
  const due = { now: 0, soon: SOON_MS, later: DAY_MS }[from];
  const effectiveFrom = new Date(Date.now() + due + TOLERANCE_MS).toISOString();
  const body = { ...inputOf(terms), ...(from !== 'now' && { effectiveFrom }) };
  const answer = await askAsMerchant(deployment, shop, { path: '/reward-rules', body });
  const outcome = outcomeOf(answer);
  if (model.world.suspended.has('merchant')) return model.askedSuspended('merchant', outcome);
  if (outcome !== 'ok') throw new Error(`No rule: ${JSON.stringify(answer.body)}`);
  model.published({ terms, from });
  if (from === 'soon') play.rulesDueAt = Date.now() + SOON_MS;
}

/** Publishes a programme: for how long sales can be returned and points are valid, and tiers. */
export async function promise(play: Play, step: StepOf<'programme'>): Promise<void> {
  const { deployment, shop, model } = play;
  const { returnWindowDays, validityMonths } = step;
  const tiers = step.tiers.map(({ threshold, ...tier }) => {
    return { ...tier, name: `The ${tier.key}`, thresholdMinorUnits: threshold };
  });
  const terms = { returnWindowDays, validityMonths, tiers };
  const body = { timeZone: shop.timeZone, tillAttach: true, ...terms };
  const answer = await askAsMerchant(deployment, shop, { path: '/programme', body });
  const outcome = outcomeOf(answer);
  if (model.world.suspended.has('merchant')) return model.askedSuspended('merchant', outcome);
  if (outcome !== 'ok') throw new Error(`No programme: ${JSON.stringify(answer.body)}`);
  model.promised(returnWindowDays, validityMonths, step.tiers);
}

/**
 * Decides the tiers of a night ahead, as each night does, by several runs at the same moment. No
 * night is before the last one.
 */
export async function decideTiers(play: Play, step: StepOf<'decide-tiers'>): Promise<void> {
  const { deployment, shop, model } = play;
  if (model.world.validityMonths === undefined) return;
  shop.lastNight = Math.max(today(shop.timeZone) + step.ahead, shop.lastNight);
  const night = { tenantId: TenantId.parse(shop.tenantId), day: dayText(shop.lastNight) };
  const run = () => untilReached(() => decideNight(deployment.db, night));
  const [decided] = await Promise.all(Array.from({ length: step.runs }, run));
  model.decidedTiers(shop.lastNight, decided !== undefined);
}

const Published = z.object({ id: z.string() });

/** Publishes a campaign. */
export async function publishCampaign(play: Play, step: StepOf<'campaign'>): Promise<void> {
  const { deployment, shop, model } = play;
  const { multiplier, points, minSpend, isFirst, budget } = step.campaign;
  const body = {
    name: 'A campaign',
    ...(multiplier === null ? { points } : { multiplier }),
    minSpendMinorUnits: minSpend,
    audience: isFirst ? 'first_purchase' : 'all',
    budgetPoints: budget,
  };
  const answer = await askAsMerchant(deployment, shop, { path: '/campaigns', body });
  const outcome = outcomeOf(answer);
  if (model.world.suspended.has('merchant')) return model.askedSuspended('merchant', outcome);
  if (outcome !== 'ok') throw new Error(`No campaign: ${JSON.stringify(answer.body)}`);
  shop.campaigns.push(Published.parse(answer.body).id);
  model.campaign(step.campaign);
}

/** Ends the oldest campaign that has not ended. */
export async function endCampaign({ deployment, shop, model }: Play): Promise<void> {
  const nth = model.world.campaigns.findIndex(({ until }) => until === null);
  const id = shop.campaigns[nth];
  if (id === undefined) return;
  const answer = await askAsMerchant(deployment, shop, { path: `/campaigns/${id}/end`, body: {} });
  const outcome = outcomeOf(answer);
  if (model.world.suspended.has('merchant')) return model.askedSuspended('merchant', outcome);
  if (outcome !== 'ok') throw new Error(`A campaign goes on: ${JSON.stringify(answer.body)}`);
  model.endedCampaign();
}

/** A rule as a merchant publishes it. */
export function inputOf(terms: Terms) {
  return {
    conversionRate: terms.rate,
    minSpendMinorUnits: terms.minSpend,
    maxPointsPerTransaction: terms.maxPoints,
    minBalanceToRedeem: terms.minBalance,
    maxRedemptionPercentage: terms.percentage,
    roundingPolicy: terms.rounding,
  };
}
