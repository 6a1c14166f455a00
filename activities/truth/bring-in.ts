import type { ComparedConnection } from '../../db/connections/truth-days.ts';
import type { EventId } from '../../domain/ids.ts';
import { recordListed } from '../ingestion/decide/failed-payments.ts';
import {
  type Attempt,
  type IngestionDeps,
  ingestWithProvider,
} from '../ingestion/events/with-provider.ts';
import type { AccountSale } from './account-sales.ts';

const AT_ONCE = 500;
const ERROR = 'Its provider lists it otherwise than it is known here.';

/**
 * Has sales fetched and ingested as if webhooks had told them: each is an event, which the sweep
 * tries again where it fails. Run again by the same name, it asks for each version once.
 */
export async function bringIn(
  deps: IngestionDeps,
  { connection }: ComparedConnection,
  sales: readonly AccountSale[],
  attempt: Required<Pick<Attempt, 'run' | 'signal' | 'heartbeat'>>,
): Promise<void> {
  for (let start = 0; start < sales.length; start += AT_ONCE) {
    const listed = sales.slice(start, start + AT_ONCE).map(({ id, changedAt }) => ({
      providerPaymentId: id,
      changedAt,
      error: ERROR,
      isHeld: true,
      askedBy: attempt.run,
    }));
    let open: readonly EventId[] = await recordListed(deps.db, connection, listed);
    for (;;) {
      const { needProvider } = await ingestWithProvider(deps, open, {
        ...attempt,
        isRepeated: false,
      });
      // What is left is the sweep's.
      if (needProvider.length === 0 || needProvider.length >= open.length) break;
      open = needProvider;
    }
  }
}
