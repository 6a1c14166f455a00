import { isInDomain } from '../../domain/account-status.ts';
import { Refusal } from '../../domain/errors.ts';
import type { UserId } from '../../domain/ids.ts';
import type { Role, UserStatus } from '../../domain/roles.ts';
import * as auditLog from '../audit-log.ts';
import type { Db, Tx } from '../connection.ts';
import { endAll } from './memberships.ts';

// Suspending, reinstating and making administrators, by operators of the service or by
// administrators. Whatever changes leaves an audit entry, in the same transaction.

/** The users that a command applies to: all with that e-mail, or the one with that id. */
export type UserKey = { email: string } | { id: UserId };

export type OperatedUser = {
  id: UserId;
  email: string | null;
  emailVerified: boolean;
  role: Role;
  status: UserStatus;
};

/** Who changes users, and why. */
export type Act = { acting: auditLog.Acting; reason: string | null };

const COLUMNS: (keyof OperatedUser)[] = ['id', 'email', 'emailVerified', 'role', 'status'];

/**
 * Suspends the users and returns them as they are now; a suspended user stays suspended. Throws
 * NOT_FOUND when no user matches, and FORBIDDEN when no active administrator would be left, unless
 * that is `forced`.
 */
export async function suspend(
  db: Db,
  who: UserKey,
  act: Act & { forced?: boolean } = byOps(),
): Promise<OperatedUser[]> {
  return db.transaction(async (tx) => {
    // Of two administrators who suspend each other at once, one has to stay.
    await tx.raw(`select pg_advisory_xact_lock(hashtextextended('suspending', 0))`);
    const found = await lock(tx, who);
    const ids = found.map((user) => user.id);
    if (!act.forced && found.some(isActiveAdmin)) await requireAnotherAdmin(tx, ids);
    await tx('users')
      .whereIn('id', ids)
      .whereNot('status', 'suspended')
      .update({
        statusBeforeSuspension: tx.ref('status'),
        status: 'suspended',
        updatedAt: tx.fn.now(),
      });
    return recordChanges(tx, 'user.suspend', found, act);
  });
}

/**
 * Lifts the suspension of the users and returns them as they are now: with the status from before.
 * Of a merchant whose status from before is not known, one without a workspace becomes pending
 * approval, because approval creates the workspace. Throws NOT_FOUND when no user matches.
 */
export async function reinstate(db: Db, who: UserKey, act: Act = byOps()): Promise<OperatedUser[]> {
  return db.transaction(async (tx) => {
    const found = await lock(tx, who);
    await tx.raw(
      `update users u
       set updated_at = now(), status_before_suspension = null,
         status = coalesce(status_before_suspension, case
           when u.role = 'client' and not exists (
             select from memberships m where m.user_id = u.id and m.role = 'client'
           ) then 'pending_approval'
           else 'active' end)
       where u.id = any(:ids) and u.status = 'suspended'`,
      { ids: found.map((user) => user.id) },
    );
    return recordChanges(tx, 'user.reinstate', found, act);
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
  act: Act = byOps(),
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
    await endAll(tx, user.id, { role: 'admin', by: act.acting });
    return recordChanges(tx, 'user.grant_admin', [user], act);
  });
}

/** What is done on the command line, where no reason is asked for. */
export function byOps(operator: string | null = null): Act {
  return { acting: auditLog.byOps(operator), reason: null };
}

function isActiveAdmin({ role, status }: OperatedUser): boolean {
  return role === 'admin' && status === 'active';
}

async function requireAnotherAdmin(tx: Tx, ids: readonly UserId[]): Promise<void> {
  const other = await tx('users')
    .where({ role: 'admin', status: 'active' })
    .whereNotIn('id', [...ids])
    .first('id');
  if (other !== undefined) return;
  throw new Refusal('FORBIDDEN', 'This is the only active administrator. Make another one first.');
}

/** Writes an audit entry for each user who is not as before, and returns all as they are now. */
async function recordChanges(
  tx: Tx,
  action: 'user.suspend' | 'user.reinstate' | 'user.grant_admin',
  before: readonly OperatedUser[],
  { acting, reason }: Act,
): Promise<OperatedUser[]> {
  const after = await read(
    tx,
    before.map((user) => user.id),
  );
  for (const { id, role, status } of after) {
    const old = before.find((user) => user.id === id);
    if (old === undefined || (old.role === role && old.status === status)) continue;
    await auditLog.insert(tx, {
      ...acting,
      action,
      targetType: 'user',
      targetId: id,
      tenantId: null,
      reason,
      before: { role: old.role, status: old.status },
      after: { role, status },
    });
  }
  return after;
}

async function lock(tx: Tx, who: UserKey): Promise<OperatedUser[]> {
  const found = await tx<OperatedUser>('users')
    .where(who)
    // As the index of e-mails says. No command takes a longer one.
    .whereRaw('email' in who ? 'length(email) <= 320' : 'true')
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
