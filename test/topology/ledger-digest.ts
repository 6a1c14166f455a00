import { createHash } from 'node:crypto';
import type { Db } from '../../db/connection.ts';
import { required } from '../support/factories.ts';

/** The number of the ledger's entries, and a digest of where each wallet's chain has come to. */
export async function digestOf(db: Db): Promise<string> {
  const { rows } = await db.raw<{ rows: { wallet_id: string; seq: number; hash: Buffer }[] }>(
    `select distinct on (wallet_id) wallet_id, seq, hash from ledger_entries
     order by wallet_id, seq desc`,
  );
  const digest = createHash('sha256').update(JSON.stringify(rows)).digest('hex');
  return `${await countOf(db)} ${digest}`;
}

async function countOf(db: Db): Promise<string> {
  const { rows } = await db.raw<{ rows: { n: number }[] }>(
    'select count(*) as n from ledger_entries',
  );
  return String(required(rows[0]).n);
}

/** Postgres' clock. */
export async function clockOf(db: Db): Promise<Date> {
  const { rows } = await db.raw<{ rows: { now: Date }[] }>('select clock_timestamp() as now');
  return required(rows[0]).now;
}
