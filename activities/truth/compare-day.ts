import * as truthDays from '../../db/connections/truth-days.ts';
import type { ConnectionId } from '../../domain/ids.ts';
import type { Day } from '../../domain/intervals.ts';
import type { TruthRepairs } from '../../domain/payment.ts';
import {
  agrees,
  comparedSpan,
  compareSales,
  type DayComparison,
  type DayCounts,
  isRepaired,
  type TruthStatus,
} from '../../domain/truth.ts';
import { mayAsk } from '../connections/availability.ts';
import type { IngestionDeps } from '../ingestion/index.ts';
import { AccountSales, knownOf, throwUnlessProviders } from './account-sales.ts';
import { bringIn } from './bring-in.ts';

export type TruthDeps = IngestionDeps & { truthRepairs: TruthRepairs };

/** A day of a connection. */
export type ConnectionDay = { connectionId: ConnectionId; day: Day };

/**
 * What came of a day: `away` while its provider does not answer, `gone` where the connection is not
 * active any more or had no sales yet, or where the provider lists none.
 */
export type ComparedDay = ({ status: TruthStatus } & DayCounts) | { status: 'away' | 'gone' };

export type Comparing = {
  /** Names the run, so that its next attempt takes over what this one has begun. */
  run: string;
  signal: AbortSignal;
  heartbeat: () => void;
  /** Whether somebody asks for what is missing to be brought in; else the settings decide. */
  isAsked: boolean;
};

/** A day with more is not compared. */
const MOST_SALES = 25_000;

/**
 * Compares a day with the provider's own list, brings in what is missing where that is wanted, and
 * stores what it found. Nothing is stored while the provider is away. Run twice, or at once, each
 * sale is brought in once.
 */
export async function compareDay(
  deps: TruthDeps,
  { connectionId, day }: ConnectionDay,
  comparing: Comparing,
): Promise<ComparedDay> {
  const at = await truthDays.findCompared(deps.db, connectionId);
  const span = at && comparedSpan(day, at);
  if (at === undefined || span === undefined) return { status: 'gone' };
  const { connection } = at;
  const { signal, heartbeat } = comparing;
  if (connection.needsReconnectSince !== null) return { status: 'away' };
  if (!(await mayAsk(deps, connection, signal)).answers) return { status: 'away' };

  const of = { connectionId, tenantId: connection.tenantId, day };
  const account = AccountSales.of(deps, at, signal);
  if (account === undefined) return { status: 'gone' };
  try {
    const listed = await account.list(span, { most: MOST_SALES, onPage: heartbeat });
    if (listed === undefined) {
      await truthDays.giveUp(deps.db, [{ ...of, endsAt: span.to }]);
      return { status: 'unavailable', missing: 0, changed: 0, unknown: 0, repaired: 0 };
    }
    const from = span.from > at.connectedSince ? span.from : at.connectedSince;
    const ofAccount = await truthDays.readSalesOfSpan(deps.db, connection, { ...span, from });
    const unlisted = ofAccount.filter(({ id }) => !listed.sales.has(id) && !listed.others.has(id));
    const unknown = await account.unknown(unlisted, heartbeat);
    const compare = async () => {
      const ours = await knownOf(deps, at, [...listed.sales.keys()]);
      return compareSales(listed.sales, { ours, unknown }, at.currency);
    };

    const before = await compare();
    const isWanted = comparing.isAsked || isRepaired(connection.provider, deps.truthRepairs);
    const lacking = isWanted ? [...before.missing, ...before.changed] : [];
    const sales = lacking.flatMap((id) => listed.sales.get(id) ?? []);
    if (sales.length > 0) await bringIn(deps, at, sales, comparing);
    const after = sales.length > 0 ? await compare() : before;
    // What is still open waits for its provider.
    if (!agrees(after) && !(await mayAsk(deps, connection, signal)).answers) {
      return { status: 'away' };
    }
    const found = foundOf(before, after);
    await truthDays.saveDay(deps.db, of, { ...found, provider: after.provider, ours: after.ours });
    return found;
  } catch (error) {
    await throwUnlessProviders(deps, at, { error, signal });
    return { status: 'away' };
  }
}

function foundOf(before: DayComparison, after: DayComparison) {
  const counts = {
    missing: before.missing.length,
    changed: before.changed.length,
    unknown: before.unknown.length,
    repaired:
      before.missing.length + before.changed.length - after.missing.length - after.changed.length,
  };
  if (agrees(before)) return { status: 'agrees', ...counts } as const;
  return { status: agrees(after) ? 'repaired' : 'differs', ...counts } as const;
}
