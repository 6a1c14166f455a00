import type { Db } from './connection.ts';

/** Returns the version of the server, such as `18.4`, and what time it is there. */
export async function readServer(db: Db): Promise<{ version: string; now: Date }> {
  const { rows } = await db.raw<{ rows: { version: string; now: Date }[] }>(
    `select current_setting('server_version') as version, clock_timestamp() as now`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('Postgres answered without a row.');
  return row;
}
