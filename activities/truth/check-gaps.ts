import * as gaps from '../../db/connections/gaps.ts';
import { forgetCoverage } from '../../db/connections/poll-leases.ts';
import * as truthDays from '../../db/connections/truth-days.ts';
import type { Span } from '../../domain/intervals.ts';
import { isPolled } from '../../domain/payment.ts';
import { isRepaired } from '../../domain/truth.ts';
import { inParallel } from '../concurrency.ts';
import { AccountSales, knownOf, throwUnlessProviders } from './account-sales.ts';
import { bringIn } from './bring-in.ts';
import type { Comparing, TruthDeps } from './compare-day.ts';

/** How many connections were asked about, and of how many sales were missed. */
export type CheckedGaps = { asked: number; gaps: number };

const TAKEN = 100;
const AT_ONCE = 10;

/**
 * Asks the provider of each account that is silent here, and that no poll looks at soon, whether it
 * has sold. Owners are told of sales that are not known, which are brought in where the settings
 * say so; those of an account that is polled are left to its polls, which become frequent. An
 * account that refuses our token has to be connected again. Each is asked about once in two hours,
 * whoever runs this; one that fails is asked about again after that.
 */
export async function checkGaps(
  deps: TruthDeps,
  checking: Omit<Comparing, 'isAsked'>,
): Promise<CheckedGaps> {
  const done: CheckedGaps = { asked: 0, gaps: 0 };
  for (;;) {
    checking.heartbeat();
    checking.signal.throwIfAborted();
    const silent = await gaps.takeSilent(deps.db, TAKEN);
    await inParallel(silent, AT_ONCE, async (each) => {
      checking.heartbeat();
      if (await isMissed(deps, each, checking)) done.gaps++;
    });
    done.asked += silent.length;
    if (silent.length < TAKEN) return done;
  }
}

async function isMissed(
  deps: TruthDeps,
  { connectionId, since, asked }: gaps.SilentConnection & { asked: Span },
  { run, signal, heartbeat }: Omit<Comparing, 'isAsked'>,
): Promise<boolean> {
  const at = await truthDays.findCompared(deps.db, connectionId);
  if (at === undefined) return false;
  const account = AccountSales.of(deps, at, signal);
  if (account === undefined) return false;
  try {
    const sales = await account.firstPage(asked);
    const known = await knownOf(
      deps,
      at,
      sales.map(({ id }) => id),
    );
    const missed = sales.filter(({ id }) => !known.has(id));
    if (missed.length === 0) return false;
    if (isPolled(at.connection.provider)) {
      await forgetCoverage(deps.db, connectionId);
      return true;
    }
    await gaps.recordGap(deps.db, { connectionId, since, payments: missed.length });
    if (isRepaired(at.connection.provider, deps.truthRepairs)) {
      await bringIn(deps, at, missed, { run, signal, heartbeat });
    }
    return true;
  } catch (error) {
    await throwUnlessProviders(deps, at, { error, signal });
    return false;
  }
}
