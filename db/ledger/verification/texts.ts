import type { Db } from '../../connection.ts';
import { type SourceWalk, sourcesStatement } from './sources.ts';
import { SLICE } from './statements.ts';
import { walletsStatement } from './wallet-statements.ts';
import { LAST_ID, NO_ID } from './whole.ts';

export const PRINTED_WALKS = [
  'wallets',
  'payments',
  'redemptions',
  'adjustments',
  'expiries',
  'campaigns',
  'rewards',
  'erasures',
  'liability',
  'imports',
] as const;

/**
 * Returns the statement that verifies the wallets, or the first slice of sources, with its values
 * in the text, so that it can be read and run elsewhere.
 */
export function statementText(db: Db, walk: 'wallets' | SourceWalk): string {
  const all = { after: NO_ID, until: LAST_ID };
  const step = { sinceCheckpoint: false, keepCheckpoints: false, but: [] };
  const { sql, values } =
    walk === 'wallets'
      ? walletsStatement(all, step)
      : sourcesStatement(walk, { ...all, limit: SLICE.sources });
  return db.raw(sql, values).toQuery();
}
