import { chanceOf } from './chance.ts';
import { SHOP_ZONES } from './days.ts';
import type { Deployment } from './deployment.ts';
import type { Faults } from './faults.ts';
import { openPage } from './following.ts';
import { expectOwnersTold } from './mailed.ts';
import { Contradiction, Model } from './model.ts';
import { perform } from './perform.ts';
import { suspend } from './perform-in-team.ts';
import type { Play } from './playing.ts';
import { rehearseRules } from './rehearse.ts';
import { checkpoint } from './settle.ts';
import { disconnectShop, openShop } from './shop.ts';
import type { History, Step } from './steps.ts';
import { beginWalk } from './walking.ts';

export type Failure = {
  /** The number of the step, from 0, at which it was noticed. */
  at: number;
  kind: 'Contradiction' | 'Error';
  message: string;
};

/** How a history ended: well, or with what contradicts the model. */
export type Played = {
  steps: number;
  failure?: Failure;
  /** Waits for the mails that faults may delay beyond the history. */
  expectOwnersTold?: () => Promise<void>;
};

/** Plays a history in a new tenant, and compares at each checkpoint and in the end. */
export async function play(
  at: { deployment: Deployment; faults: Faults },
  { seed, policies, steps }: History,
): Promise<Played> {
  const { deployment, faults } = at;
  const all: Step[] = [...steps, { do: 'checkpoint' }];
  let done = 0;
  let playing: Play | undefined;
  try {
    const chance = chanceOf(seed);
    const shop = await openShop(deployment, chance.oneOf(SHOP_ZONES));
    const model = new Model(policies);
    const flags = { needsPoll: false, needsTruth: false, rulesDueAt: 0 };
    const open = { walk: undefined, page: undefined };
    const noted = { caused: [], redelivered: new Set<string>(), ...open, ...flags };
    playing = { deployment, faults, model, shop, chance, ...noted };
    for (const step of all) {
      if (step.do === 'checkpoint') await checkpoint(playing);
      else {
        playing.walk ??= await beginWalk(playing);
        playing.page ??= openPage(playing);
        await perform(playing, step);
      }
      done += 1;
    }
    await rehearseRules(playing);
    return { steps: done, expectOwnersTold: () => expectOwnersTold({ deployment, shop }) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const kind = error instanceof Contradiction ? 'Contradiction' : 'Error';
    return { steps: done, failure: { at: done, kind, message } };
  } finally {
    if (playing !== undefined) await leave(playing);
  }
}

/** Ends what would go on: accounts that nobody needs any more would be polled for the whole run. */
async function leave({ deployment, shop, model, caused, walk, page }: Play): Promise<void> {
  page?.close();
  await Promise.allSettled([...caused, walk?.read, page?.ended]);
  const { suspended } = model.world;
  const play = { deployment, shop, model };
  const work = async () => {
    if (suspended.has('merchant')) await suspend(play, { do: 'reinstate', person: 'merchant' });
    await disconnectShop(deployment, shop);
    if (shop.rival !== undefined) await disconnectShop(deployment, shop.rival);
  };
  await work().catch(() => undefined);
}
