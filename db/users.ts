import type { Claims } from '../domain/claims.ts';
import type { TenantId, UserId } from '../domain/ids.ts';
import type { Role, UserStatus } from '../domain/roles.ts';
import { isInDomain } from '../domain/standing.ts';
import type { Db } from './connection.ts';

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
 * The user of a valid token, created on first sight (contract 3). Contacts follow the token; role
 * and status never do, save for the e-mails that bootstrap an admin, each once. Any number of
 * first requests at the same moment make one user.
 */
export async function signIn(db: Db, claims: Claims, policy: SignInPolicy): Promise<User> {
  let user = await findBySubject(db, claims);
  if (user === undefined || hasChanged(user, claims)) {
    await store(db, claims);
    user = await findBySubject(db, claims);
  }
  if (user !== undefined && mayBootstrap(user, policy) && (await makeAdmin(db, user))) {
    user = await findBySubject(db, claims);
  }
  if (user === undefined) throw new Error('A user that was just stored is not there.');
  return user;
}

async function findBySubject(db: Db, { iss, sub }: Claims): Promise<User | undefined> {
  const { rows } = await db.raw<{ rows: User[] }>(
    `select u.id, u.iss, u.sub, u.role, u.status, u.email, u.email_verified, u.phone,
       u.phone_verified, u.name,
       case when u.role in ('client', 'pos_operator')
         then array(select m.tenant_id::text from memberships m
                    where m.user_id = u.id and m.role = u.role order by m.created_at)
         else array(select w.tenant_id::text from wallets w
                    where w.user_id = u.id order by w.created_at)
       end as tenant_ids
     from users u
     where u.iss = :iss and u.sub = :sub`,
    { iss, sub },
  );
  return rows[0];
}

function hasChanged(user: User, claims: Claims): boolean {
  return (
    user.email !== claims.email ||
    user.emailVerified !== claims.emailVerified ||
    user.phone !== claims.phone ||
    user.phoneVerified !== claims.phoneVerified ||
    user.name !== claims.name
  );
}

async function store(db: Db, { clientIntent, ...claims }: Claims): Promise<void> {
  const { iss, sub, ...contacts } = claims;
  await db('users')
    .insert({
      ...claims,
      role: clientIntent ? 'client' : 'consumer',
      status: clientIntent ? 'pending_approval' : 'active',
    })
    .onConflict(['iss', 'sub'])
    .merge({ ...contacts, updatedAt: db.fn.now() });
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

/** Makes an admin of the user, unless its e-mail already made one; says whether it did. */
async function makeAdmin(db: Db, user: User): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `update users set role = 'admin', status = 'active', bootstrapped_as = :email, updated_at = now()
     where id = :userId and status <> 'suspended'
       and not exists (select from users where bootstrapped_as = :email)
     returning id`,
    { userId: user.id, email: user.email },
  );
  return rows.length > 0;
}
