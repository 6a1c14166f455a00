import type { Db } from '../../../db/connection.ts';

/** Has all entries looked at for people who are to be told of them, also those to come. */
export async function allLookedAt(db: Db): Promise<void> {
  await db('notice_position')
    .insert({ readUntil: 'ffffffff-ffff-ffff-ffff-ffffffffffff' })
    .onConflict('isOnly')
    .merge();
}
