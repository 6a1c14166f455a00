import { isInDomain } from '../../domain/account-status.ts';
import type { Claims } from '../../domain/claims.ts';
import type { TenantId, UserId } from '../../domain/ids.ts';
import type { Role, UserStatus } from '../../domain/roles.ts';
import * as auditLog from '../audit-log.ts';
import { type Db, withKeptPlan } from '../connection.ts';
import { violatedConstraint } from '../errors.ts';
import * as contactChanges from './contact-changes.ts';
import * as invites from './invites.ts';

export type User = {
  id: UserId;
  iss: string;
  sub: string;
  role: Role;
  status: UserStatus;
  email: string | null;
  emailVerified: boolean;
  phone: string | null;
  phoneVerified: boolean;
  name: string | null;
  /** Where a client or operator works, or where a consumer holds a wallet. */
  tenantIds: TenantId[];
};

export type SignInPolicy = { adminEmailDomain: string; bootstrapAdminEmails: readonly string[] };

/**
 * Returns the user of a valid token, created at the first request. Contacts follow the newest token
 * that was seen, since two that are valid at once may have different ones. Role
 * and status never do, with two exceptions: an e-mail that bootstraps an admin, once each, and
 * invites, which make an operator. Concurrent first requests create one user. `requestId` names the
 * request in the audit log.
 */
export async function signIn(
  db: Db,
  claims: Claims,
  policy: SignInPolicy,
  requestId?: string,
): Promise<User> {
  let found = await findBySubject(db, claims);
  if (found === undefined || hasChanged(found, claims)) {
    await store(db, claims);
    found = await findBySubject(db, claims);
  }
  if (found !== undefined && mayBootstrap(found, policy)) {
    await makeAdmin(db, found, requestId);
    found = await findBySubject(db, claims);
  }
  if (found?.isInvited) {
    await invites.acceptAll(db, found.id);
    found = await findBySubject(db, claims);
  }
  if (found === undefined) throw new Error('A user that was just stored is missing.');
  const { isInvited, contactsIssuedAt, ...user } = found;
  return user;
}

/** Finds a user by id. */
export async function find(db: Db, id: UserId): Promise<User | undefined> {
  const { rows } = await db.raw<{ rows: User[] }>(`select ${USER} from users u where u.id = :id`, {
    id,
  });
  return rows[0];
}

/** Whether a user with that verified e-mail has signed in before. */
export async function isKnown(db: Db, email: string): Promise<boolean> {
  const user = await db('users').where({ email, emailVerified: true }).first('id');
  return user !== undefined;
}

/** Whether the user has invites to accept is read with the user, so no request queries twice. */
type Found = User & { isInvited: boolean; contactsIssuedAt: Date | null };

const USER = `u.id, u.iss, u.sub, u.role, u.status, u.email, u.email_verified, u.phone,
  u.phone_verified, u.name,
  case
    when u.role in ('client', 'pos_operator')
      then array(select m.tenant_id::text from memberships m
                 where m.user_id = u.id and m.role = u.role order by m.created_at)
    when u.role = 'consumer'
      then array(select w.tenant_id::text from wallets w
                 where w.user_id = u.id order by w.created_at)
    else array[]::text[]
  end as tenant_ids`;

async function findBySubject(db: Db, { iss, sub }: Claims): Promise<Found | undefined> {
  const finding = db.raw<{ rows: Found[] }>(
    `select ${USER}, u.contacts_issued_at,
       u.email_verified and u.status = 'active' and u.role in ('consumer', 'pos_operator')
         and exists (select from invites i where i.email = u.email and i.status = 'pending')
         as is_invited
     from users u
     where u.iss = :iss and u.sub = :sub`,
    { iss, sub },
  );
  const { rows } = await withKeptPlan(finding, 'users-by-subject', 1);
  return rows[0];
}

function hasChanged(user: Found, claims: Claims): boolean {
  // An older token, still valid, has the contacts of its time: they are not new.
  const { contactsIssuedAt: issuedAt } = claims;
  if (user.contactsIssuedAt && issuedAt && issuedAt < user.contactsIssuedAt) return false;
  return (
    user.email !== claims.email ||
    user.emailVerified !== claims.emailVerified ||
    user.phone !== claims.phone ||
    user.phoneVerified !== claims.phoneVerified ||
    user.name !== claims.name
  );
}

async function store(db: Db, { clientIntent, ...claims }: Claims): Promise<void> {
  const { iss, sub, contactsIssuedAt = null, ...contacts } = claims;
  await db('users')
    .insert({
      ...claims,
      contactsIssuedAt,
      role: clientIntent ? 'client' : 'consumer',
      status: clientIntent ? 'pending_approval' : 'active',
    })
    .onConflict(['iss', 'sub'])
    .merge({
      ...contacts,
      ...contactChanges.toCompare(db),
      contactsIssuedAt,
      updatedAt: db.fn.now(),
    })
    // Decided again under the row's lock: requests with an older and a newer token may be at once.
    .whereRaw(
      `users.contacts_issued_at is null or excluded.contacts_issued_at is null
         or excluded.contacts_issued_at >= users.contacts_issued_at`,
    );
}

function mayBootstrap(user: User, policy: SignInPolicy): boolean {
  return (
    user.email !== null &&
    policy.bootstrapAdminEmails.includes(user.email) &&
    isInDomain(user, policy.adminEmailDomain) &&
    user.status !== 'suspended' &&
    !(user.role === 'admin' && user.status === 'active')
  );
}

/**
 * Makes the user an admin, unless this e-mail has made one before or another e-mail has made this
 * user one. The configuration names the e-mail, so it is the service's operators who act.
 */
async function makeAdmin(db: Db, user: User, requestId?: string): Promise<void> {
  const { id, role, status } = user;
  const byOps = auditLog.byOps();
  try {
    await db.transaction(async (tx) => {
      const { rowCount } = await tx.raw<{ rowCount: number }>(
        `update users
         set role = 'admin', status = 'active', bootstrapped_as = :email, updated_at = now()
         where id = :userId and status <> 'suspended' and bootstrapped_as is null
           and not exists (select from users where bootstrapped_as = :email)`,
        { userId: id, email: user.email },
      );
      if (rowCount === 0) return;
      await auditLog.insert(tx, {
        ...byOps,
        requestId: requestId ?? byOps.requestId,
        action: 'user.bootstrap',
        targetType: 'user',
        targetId: id,
        tenantId: null,
        reason: null,
        before: { role, status },
        after: { role: 'admin', status: 'active' },
      });
    });
  } catch (error) {
    // A concurrent request has used the e-mail for another user.
    if (violatedConstraint(error) !== 'users_bootstrap_once_per_email') throw error;
  }
}
