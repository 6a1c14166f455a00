import { isInDomain } from '../../domain/account-status.ts';
import { Refusal } from '../../domain/errors.ts';
import type { UserId } from '../../domain/ids.ts';
import type { Role, UserStatus } from '../../domain/roles.ts';
import type { Db, Tx } from '../connection.ts';
import { endAll } from './memberships.ts';

// What an operator of the service changes of users from the command line.

/** The users that a command applies to: all with that e-mail, or the one with that id. */
export type UserKey = { email: string } | { id: UserId };

export type OperatedUser = {
  id: UserId;
  email: string | null;
  emailVerified: boolean;
  role: Role;
  status: UserStatus;
};

const COLUMNS: (keyof OperatedUser)[] = ['id', 'email', 'emailVerified', 'role', 'status'];

/**
 * Suspends the users and returns them as they are now; a suspended user stays suspended. Throws
 * NOT_FOUND when no user matches.
 */
export async function suspend(db: Db, who: UserKey): Promise<OperatedUser[]> {
  return db.transaction(async (tx) => {
    const ids = (await lock(tx, who)).map((user) => user.id);
    await tx('users')
      .whereIn('id', ids)
      .whereNot('status', 'suspended')
      .update({ status: 'suspended', updatedAt: tx.fn.now() });
    return read(tx, ids);
  });
}

/**
 * Lifts the suspension of the users and returns them as they are now. A merchant without a
 * workspace becomes pending approval again, because approval creates the workspace. Throws
 * NOT_FOUND when no user matches.
 */
export async function reinstate(db: Db, who: UserKey): Promise<OperatedUser[]> {
  return db.transaction(async (tx) => {
    const ids = (await lock(tx, who)).map((user) => user.id);
    await tx.raw(
      `update users u
       set updated_at = now(), status = case
         when u.role = 'client' and not exists (
           select from memberships m where m.user_id = u.id and m.role = 'client'
         ) then 'pending_approval'
         else 'active' end
       where u.id = any(:ids) and u.status = 'suspended'`,
      { ids },
    );
    return read(tx, ids);
  });
}

/**
 * Makes the one user with that verified e-mail an active admin, as BOOTSTRAP_ADMIN_EMAILS does; an
 * operator then works at no till any more. Throws NOT_FOUND when no user matches, and FORBIDDEN
 * when several do, when the e-mail is not verified or outside the admins' domain, or when the user
 * is suspended.
 */
export async function grantAdmin(
  db: Db,
  who: UserKey,
  adminEmailDomain: string,
): Promise<OperatedUser[]> {
  return db.transaction(async (tx) => {
    const meant = await lock(tx, who);
    const [user, another] = meant.filter((each) => each.emailVerified);
    if (user === undefined) {
      throw new Refusal('FORBIDDEN', 'This e-mail is not verified: sign in with it again first.');
    }
    if (another !== undefined) {
      throw new Refusal('FORBIDDEN', 'Several users have this e-mail: name one of them by id.');
    }
    if (!isInDomain(user, adminEmailDomain)) {
      throw new Refusal('FORBIDDEN', `Admins have an e-mail at ${adminEmailDomain}.`);
    }
    if (user.status === 'suspended') {
      throw new Refusal('FORBIDDEN', 'This account is suspended: reinstate it first.');
    }
    await tx('users')
      .where('id', user.id)
      .update({ role: 'admin', status: 'active', updatedAt: tx.fn.now() });
    await endAll(tx, user.id, { role: 'admin', by: null });
    return read(tx, [user.id]);
  });
}

async function lock(tx: Tx, who: UserKey): Promise<OperatedUser[]> {
  const found = await tx<OperatedUser>('users')
    .where(who)
    .orderBy('id')
    .forNoKeyUpdate()
    .select(COLUMNS);
  if (found.length === 0) throw new Refusal('NOT_FOUND', 'There is no such user.');
  return found;
}

async function read(tx: Tx, ids: readonly UserId[]): Promise<OperatedUser[]> {
  return tx<OperatedUser>('users')
    .whereIn('id', [...ids])
    .orderBy('id')
    .select(COLUMNS);
}
