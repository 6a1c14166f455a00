import { z } from 'zod';
import { ask, outcomeOf } from './client.ts';
import type { Play } from './playing.ts';
import { askAsMerchant } from './shop.ts';
import type { StepOf } from './steps.ts';
import { keepCode, walletOf } from './wallet-of.ts';

const Published = z.object({ id: z.string() });

/** Offers something for points, which is worth as many minor units. */
export async function publishReward(play: Play, { reward }: StepOf<'reward'>): Promise<void> {
  const { deployment, shop, model } = play;
  const { isItem, price, stock } = reward;
  const worth = { pricePoints: price, valueMinorUnits: price, stock };
  const body = { name: 'A reward', kind: isItem ? 'item' : 'amount', ...worth };
  const answer = await askAsMerchant(deployment, shop, { path: '/rewards', body });
  const outcome = outcomeOf(answer);
  if (model.world.suspended.has('merchant')) return model.askedSuspended('merchant', outcome);
  if (outcome !== 'ok') throw new Error(`No reward: ${JSON.stringify(answer.body)}`);
  shop.rewards.push(Published.parse(answer.body).id);
  model.reward(reward);
}

export async function endReward(play: Play, { nth }: StepOf<'end-reward'>): Promise<void> {
  const { deployment, shop, model } = play;
  const id = shop.rewards[nth];
  if (id === undefined) return;
  const answer = await askAsMerchant(deployment, shop, { path: `/rewards/${id}/end`, body: {} });
  const outcome = outcomeOf(answer);
  if (model.world.suspended.has('merchant')) return model.askedSuspended('merchant', outcome);
  if (outcome !== 'ok') throw new Error(`A reward goes on: ${JSON.stringify(answer.body)}`);
  model.endedReward(nth);
}

/** People want one of a reward, all at the same moment. */
export async function getReward(
  play: Play,
  { nth, attempts }: StepOf<'get-reward'>,
): Promise<void> {
  const { deployment, shop, model } = play;
  const id = shop.rewards[nth];
  if (id === undefined) return;
  const able: { person: string; code: string; path: string; token: string }[] = [];
  for (const { person, code } of attempts) {
    const wallet = await walletOf(play, person);
    if (wallet === undefined) continue;
    const path = `/consumer/wallets/${wallet.id}/rewards/${id}/redeem`;
    able.push({ person, code, path, token: wallet.owner.token });
  }
  const answers = await Promise.all(
    able.map(({ path, token }) => ask(deployment.urls, { method: 'POST', path, body: {}, token })),
  );
  const asked = able.map(({ person, code }, index) => {
    const answer = answers[index];
    if (answer === undefined) throw new Error('A request was not answered.');
    return { person, code, answer: outcomeOf(answer), body: answer.body };
  });
  model.gotReward(nth, asked);
  for (const one of asked) if (one.answer === 'ok') keepCode(play, one, one.body);
}
