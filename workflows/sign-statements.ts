import {
  ApplicationFailure,
  proxyActivities,
  setCurrentDetails,
  upsertMemo,
} from '@temporalio/workflow';
import type { Activities, SignedSlice } from '../activities/index.ts';

// Each says that it is alive, and does only what is left when it runs again.
const {
  collectMovedWallets,
  signStatements: signSlice,
  storeStatements,
  recordStatements,
} = proxyActivities<Activities>({
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '10 seconds', maximumInterval: '2 minutes', maximumAttempts: 5 },
});

/** More than the steps of an hour; the next run goes on. */
const MAX_SLICES_PER_RUN = 1_000;

export type StatementCounts = { statements: number; stored: number; failed: number };

/**
 * Signs, for each tenant, a statement about the wallets that have moved until the end of the last
 * UTC day, and brings it into the object store. Only the first run after midnight finds something
 * to sign, unless it left something; then the others go on. Fails in the end when a statement could
 * not be signed or stored, and is then not recorded as completed. Its Schedule never runs it twice
 * at the same time.
 */
export async function signStatements(maxSlices = MAX_SLICES_PER_RUN): Promise<StatementCounts> {
  await collectMovedWallets();
  const counts = { statements: 0, stored: 0, failed: 0 };
  let after: string | null = null;
  for (let slices = 0; slices < maxSlices; slices++) {
    const slice: SignedSlice = await signSlice(after);
    counts.statements += slice.statements;
    counts.failed += slice.failed;
    after = slice.next;
    if (after === null) break;
  }
  const { stored, failed } = await storeStatements();
  counts.stored = stored;
  counts.failed += failed;
  const text = `${counts.statements} statements signed, ${stored} stored, ${counts.failed} failed`;
  setCurrentDetails(text);
  upsertMemo({ summary: text });
  if (counts.failed > 0) {
    const message = `${counts.failed} statements could not be signed or stored: see the log.`;
    throw ApplicationFailure.nonRetryable(message, 'StatementsFailed');
  }
  if (after === null) await recordStatements();
  return counts;
}
