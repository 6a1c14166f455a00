import type { Db, Tx } from '../../../db/connection.ts';

/** How many statements the work sends in a transaction of its own. */
export function countStatements(db: Db, work: (tx: Tx) => Promise<unknown>): Promise<number> {
  return db.transaction(async (tx) => {
    let statements = 0;
    tx.on('query', () => {
      statements += 1;
    });
    await work(tx);
    return statements;
  });
}
