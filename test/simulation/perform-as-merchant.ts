import { z } from 'zod';
import { ask, outcomeOf } from './client.ts';
import type { Play } from './playing.ts';
import { askAsMerchant } from './shop.ts';
import type { StepOf, Terms } from './steps.ts';

const DAY_MS = 86_400_000;
/** A rule counts as in effect a minute early, because the clocks of two machines may differ. */
const TOLERANCE_MS = 60_000;
const SOON_MS = 1_500;

const Invited = z.object({ inviteId: z.string() });

/** Publishes a rule, with or without a date. */
export async function publish(play: Play, { terms, from }: StepOf<'rule'>): Promise<void> {
  const { deployment, shop, model } = play;
  const due = { now: 0, soon: SOON_MS, later: DAY_MS }[from];
  const effectiveFrom = new Date(Date.now() + due + TOLERANCE_MS).toISOString();
  const body = { ...inputOf(terms), ...(from !== 'now' && { effectiveFrom }) };
  const answer = await askAsMerchant(deployment, shop, { path: '/reward-rules', body });
  if (outcomeOf(answer) !== 'ok') throw new Error(`No rule: ${JSON.stringify(answer.body)}`);
  model.published({ terms, from });
  if (from === 'soon') play.rulesDueAt = Date.now() + SOON_MS;
}

function inputOf(terms: Terms) {
  return {
    conversionRate: terms.rate,
    minSpendMinorUnits: terms.minSpend,
    maxPointsPerTransaction: terms.maxPoints,
    minBalanceToRedeem: terms.minBalance,
    maxRedemptionPercentage: terms.percentage,
    roundingPolicy: terms.rounding,
  };
}

/** Invites a person to the till, by their first e-mail. */
export async function invite(
  { deployment, shop, model }: Play,
  step: StepOf<'invite'>,
): Promise<void> {
  if (model.world.invited.has(step.person)) return;
  const body = { email: shop.addressOf(`${step.person}.0`, 'email') };
  const path = '/store-operator-invites';
  const answer = await askAsMerchant(deployment, shop, { path, body });
  if (outcomeOf(answer) !== 'ok') throw new Error(`No invite: ${JSON.stringify(answer.body)}`);
  shop.invites.set(step.person, Invited.parse(answer.body).inviteId);
  model.world.invited.add(step.person);
}

/** Accepts or declines an invite. */
export async function decide(play: Play, step: StepOf<'accept' | 'decline'>): Promise<void> {
  const { deployment, shop, model } = play;
  const inviteId = shop.invites.get(step.person);
  const person = shop.people.get(step.person);
  // Whoever declined it may not decide again, and whoever accepted it may only leave.
  if (inviteId === undefined || person === undefined) return;
  if (model.world.operators.has(step.person) || !model.world.invited.has(step.person)) return;
  const path = `/auth/invites/${inviteId}/${step.do}`;
  const request = { method: 'POST', path, body: {}, token: person.token };
  const answer = await ask(deployment.urls, request);
  model.decided(step.person, step.do === 'accept', outcomeOf(answer));
}
