import { isInDomain } from '../../domain/account-status.ts';
import { Refusal } from '../../domain/errors.ts';
import type { UserId, WalletId } from '../../domain/ids.ts';
import type { Role, UserStatus } from '../../domain/roles.ts';
import * as auditLog from '../audit-log.ts';
import { announce } from '../changes/announce.ts';
import type { Db, Tx } from '../connection.ts';
import * as lifecycle from '../redemptions/lifecycle.ts';
import { requireNotErased } from './members.ts';
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

/** A user as they are after a change, and how many of their codes it cancelled. */
export type ChangedUser = OperatedUser & { cancelledCodes: number };

/** Who changes users, and why. */
export type Act = { acting: auditLog.Acting; reason: string | null };

const COLUMNS: (keyof OperatedUser)[] = ['id', 'email', 'emailVerified', 'role', 'status'];

/**
 * Suspends the users, cancels their open codes, and returns them as they are now; a suspended user
 * stays suspended. Their streams end. Throws NOT_FOUND when no user matches, and RULE_REJECTED when
 * no active administrator would be left.
 */
export async function suspend(
  db: Db,
  who: UserKey,
  { adminEmailDomain, ...act }: Act & { adminEmailDomain: () => string },
): Promise<ChangedUser[]> {
  const suspended = await db.transaction(async (tx) => {
    const found = await lock(tx, who);
    const ids = found.map((user) => user.id);
    if (found.some(isActiveAdmin)) await requireAnotherAdmin(tx, ids, adminEmailDomain());
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
  const ids = suspended.map(({ id }) => id);
  announce(db, { userIds: ids, accessOf: ids });
  return suspended;
}

/**
 * Lifts the suspension of the users and returns them as they are now: with the status from before.
 * No code comes back: one that was issued as they were suspended is cancelled. Of a merchant whose
 * status from before is not known, one without a workspace becomes pending approval, because
 * approval creates the workspace. Throws NOT_FOUND when no user matches.
 */
export async function reinstate(db: Db, who: UserKey, act: Act = byOps()): Promise<ChangedUser[]> {
  return db.transaction(async (tx) => {
    const found = await lock(tx, who);
    for (const { id } of found) await requireNotErased(tx, id);
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
 * operator then works at no till any more, and their streams end. Throws NOT_FOUND when no user
 * matches, and FORBIDDEN when several do, when the e-mail is not verified or outside the admins'
 * domain, or when the user is suspended.
 */
export async function grantAdmin(
  db: Db,
  who: UserKey,
  adminEmailDomain: string,
  act: Act = byOps(),
): Promise<ChangedUser[]> {
  const granted = await db.transaction(async (tx) => {
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
      .update({ role: 'admin', status: 'active', application: null, updatedAt: tx.fn.now() });
    await endAll(tx, user.id, { role: 'admin', by: act.acting });
    return recordChanges(tx, 'user.grant_admin', [user], act);
  });
  announce(db, { accessOf: granted.map(({ id }) => id) });
  return granted;
}

/** What is done on the command line, where no reason is asked for. */
export function byOps(operator: string | null = null): Act {
  return { acting: auditLog.byOps(operator), reason: null };
}

/** Whether the user may be an administrator who must not be the last one to go. */
export function isActiveAdmin({ role, status }: Pick<OperatedUser, 'role' | 'status'>): boolean {
  return role === 'admin' && status === 'active';
}

/**
 * Throws RULE_REJECTED if these users, whose rows are locked, are the last active administrators
 * whose e-mail is inside the domain. Of several who remove each other at once, one has to stay.
 */
export async function requireAnotherAdmin(
  tx: Tx,
  ids: readonly UserId[],
  adminEmailDomain: string,
): Promise<void> {
  await tx.raw(`select pg_advisory_xact_lock(hashtextextended('removing administrators', 0))`);
  const active = await tx('users')
    .where({ role: 'admin', status: 'active' })
    .select<OperatedUser[]>(COLUMNS);
  const inside = active.filter((user) => isInDomain(user, adminEmailDomain));
  if (inside.length === 0 || inside.some(({ id }) => !ids.includes(id))) return;
  throw new Refusal(
    'RULE_REJECTED',
    'This is the last active administrator. Make another one first.',
    'last_admin',
  );
}

/**
 * Writes an audit entry for each user who is not as before, and returns all as they are now. Who is
 * suspended, or is no longer, has no open code from then on.
 */
async function recordChanges(
  tx: Tx,
  action: 'user.suspend' | 'user.reinstate' | 'user.grant_admin',
  before: readonly OperatedUser[],
  { acting, reason }: Act,
): Promise<ChangedUser[]> {
  const ids = before.map((user) => user.id);
  const after = await read(tx, ids);
  const old = new Map(before.map((user) => [user.id, user]));
  const changed = after.filter(
    ({ id, role, status }) => old.get(id)?.role !== role || old.get(id)?.status !== status,
  );
  const owners = action === 'user.grant_admin' ? [] : changed.map(({ id }) => id);
  const cancelled = await cancelCodes(tx, owners);
  for (const { id, role, status } of changed) {
    await auditLog.insert(tx, {
      ...acting,
      action,
      targetType: 'user',
      targetId: id,
      tenantId: null,
      reason,
      before: { role: old.get(id)?.role ?? null, status: old.get(id)?.status ?? null },
      after: { role, status, ...(owners.length > 0 && { cancelledCodes: cancelled(id) }) },
    });
  }
  return after.map((user) => ({ ...user, cancelledCodes: cancelled(user.id) }));
}

/**
 * Ends the codes of these people. Suspending them and lifting a suspension both do it, once their
 * rows are locked. The function returned says how many of each were cancelled.
 */
export async function cancelCodes(tx: Tx, ids: readonly UserId[]): Promise<(id: UserId) => number> {
  const wallets = await tx('wallets')
    .whereIn('userId', [...ids])
    .select<{ id: WalletId }[]>('id');
  const owners = await lifecycle.endAll(
    tx,
    wallets.map(({ id }) => id),
  );
  return (id) => owners.filter((owner) => owner === id).length;
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
