import type { Tx } from '../connection.ts';
import { one } from '../one.ts';

/** The time by the clock of the database, by which sales and codes are stored. */
export async function databaseTime(tx: Tx): Promise<Date> {
  const { rows } = await tx.raw<{ rows: { now: Date }[] }>(
    "select date_trunc('milliseconds', clock_timestamp()) as now",
  );
  return one(rows, 'time').now;
}
