import { takeMonth } from '../../activities/expiry/take-month.ts';
import { TenantId } from '../../domain/ids.ts';
import { monthOf } from '../../domain/intervals.ts';
import { Lost, lostAtPage } from '../support/database/lost-connection.ts';
import type { Deployment } from './deployment.ts';
import type { Play } from './playing.ts';
import type { StepOf } from './steps.ts';
import { untilReached } from './until-reached.ts';

const log = { error: () => undefined };
/** So few wallets on a page that there are several. */
const PAGE = 1;

/**
 * Ends a month ahead, as the operators' command does, by several runs at the same moment; if an
 * earlier one was lost they are those of the next hour.
 */
export async function endMonth(play: Play, step: StepOf<'expire-month'>): Promise<void> {
  const { deployment, shop, model } = play;
  if (model.world.validityMonths === undefined) return;
  const month = monthOf(new Date(), shop.timeZone) + step.ahead;
  const ending = { tenantId: TenantId.parse(shop.tenantId), month };
  shop.months.set(step.ahead, month);
  if (step.lostAfter !== null) await lose(deployment, ending, step.lostAfter);
  const again = step.lostAfter === null;
  const run = () =>
    untilReached(async () => {
      const taken = await takeMonth({ db: deployment.db, log }, { ...ending, again }, PAGE);
      if (taken === undefined || taken.failed > 0) throw new Error('A month was not taken.');
      return taken.skipped;
    });
  const [skipped = null] = await Promise.all(Array.from({ length: step.runs }, run));
  model.endedMonth(step.ahead, skipped);
}

/** Begins a month anew, by a run that is lost at the nth page, if there are as many. */
async function lose(
  { databaseUrl }: Deployment,
  ending: { tenantId: TenantId; month: number },
  nth: number,
): Promise<void> {
  const db = lostAtPage(databaseUrl, nth);
  try {
    await untilReached(async () => {
      try {
        await takeMonth({ db, log }, { ...ending, again: true }, PAGE);
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
      }
    });
  } finally {
    await db.destroy();
  }
}
