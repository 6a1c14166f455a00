import type { Tx } from './connection.ts';

// A batch must not wait for one row for as long as a statement may take: behind that row are the
// sales of others. Requests wait longer, since each waits for itself only.

const LONGEST_WAIT = '1s';

/** Lets the transaction wait for a lock for a second at most; it then throws 55P03. */
export async function limitLockWaits(tx: Tx): Promise<void> {
  await tx.raw(`set local lock_timeout = '${LONGEST_WAIT}'`);
}

/** A condition, always true, with which a statement that a sale needs anyway does the same. */
export const LOCK_WAITS_ARE_LIMITED = `
  (select set_config('lock_timeout', '${LONGEST_WAIT}', true)) is not null`;
