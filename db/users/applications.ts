import type { Application } from '../../domain/application.ts';
import type { UserId } from '../../domain/ids.ts';
import type { Db } from '../connection.ts';

// What people say of their shop who ask to become merchants. It is emptied wherever they become
// something else.

/** Finds what the user has said of the shop; undefined for who has said nothing. */
export async function find(db: Db, userId: UserId): Promise<Application | undefined> {
  const row = await db('users')
    .where({ id: userId })
    .first<{ application: Application | null } | undefined>('application');
  return row?.application ?? undefined;
}

/** Keeps what the user says, in the place of what they said before. Says whether they wait. */
export async function save(db: Db, userId: UserId, application: Application): Promise<boolean> {
  const saved = await db('users')
    .where({ id: userId, role: 'client', status: 'pending_approval' })
    .update({ application: JSON.stringify(application), updatedAt: db.fn.now() });
  return saved === 1;
}
