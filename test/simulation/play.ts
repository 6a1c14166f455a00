import type { Deployment } from './deployment.ts';
import type { Faults } from './faults.ts';
import { Model } from './model.ts';
import { perform } from './perform.ts';
import type { Play } from './playing.ts';
import { checkpoint } from './settle.ts';
import { disconnectShop, openShop } from './shop.ts';
import type { History, Step } from './steps.ts';

export type Failure = {
  /** The number of the step, from 0, at which it was noticed. */
  at: number;
  message: string;
};

/** How a history ended: well, or with what contradicts the model. */
export type Played = { steps: number; failure?: Failure };

/** Plays a history in a new tenant, and compares at each checkpoint and in the end. */
export async function play(
  at: { deployment: Deployment; faults: Faults },
  { policies, steps }: Pick<History, 'policies' | 'steps'>,
): Promise<Played> {
  const shop = await openShop(at.deployment);
  const model = new Model(policies);
  const playing: Play = { ...at, model, shop, caused: [], needsPoll: false, rulesDueAt: 0 };
  const all: Step[] = [...steps, { do: 'checkpoint' }];
  let done = 0;
  try {
    for (const step of all) {
      if (step.do === 'checkpoint') await checkpoint(playing);
      else await perform(playing, step);
      done += 1;
    }
    return { steps: done };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const kind = error instanceof Error ? error.name : 'Error';
    return { steps: done, failure: { at: done, message: `${kind}: ${message}` } };
  } finally {
    await Promise.allSettled(playing.caused);
    // Accounts that nobody needs any more would be polled for the rest of the run.
    await disconnectShop(at.deployment, shop).catch(() => undefined);
  }
}
