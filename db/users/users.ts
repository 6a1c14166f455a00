import { isInDomain } from '../../domain/account-status.ts';
import type { Claims } from '../../domain/claims.ts';
import type { TenantId, UserId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language.ts';
import { inAscii } from '../../domain/matching.ts';
import type { Role, UserStatus } from '../../domain/roles.ts';
import * as auditLog from '../audit-log.ts';
import { announce } from '../changes/announce.ts';
import { type Db, withKeptPlan } from '../connection.ts';
import { violatedConstraint } from '../errors.ts';
import { newId } from '../new-id.ts';
import { requireNotErased, wasErased } from './erased-subjects.ts';
import { acceptFirst } from './invite-decisions.ts';
import { endAll } from './memberships.ts';
import { comparedEmail, otherSpellingOf } from './spelling.ts';

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
  /** In which mails are written; null if it is not known. */
  language: Language | null;
  /** Where a client or operator works, or where a consumer holds a wallet. */
  tenantIds: TenantId[];
};

export type SignInPolicy = {
  adminEmailDomain: string;
  bootstrapAdminEmails: readonly string[];
  /** Recognises a contact without storing it: one HMAC per key, the current key's first. */
  proofs(contact: string): readonly [Buffer, ...Buffer[]];
  /** The correlation id of the request, for the audit log. */
  requestId: string;
};

/**
 * Returns the user of a valid token, created at the first request. Contacts follow the newest token
 * that was seen, since two that are valid at once may have different ones. Role and status never
 * do, with two exceptions: an e-mail that bootstraps an admin, once each, and the only invite of
 * somebody who is created, which makes an operator. Concurrent first requests create one user.
 * Throws UNAUTHORIZED for somebody who was erased.
 */
export async function signIn(db: Db, claims: Claims, policy: SignInPolicy): Promise<User> {
  let found = await findBySubject(db, claims);
  if (found === undefined) {
    await requireNotErased(db, claims, policy.proofs);
    await create(db, claims, policy);
    found = await findBySubject(db, claims);
  }
  if (found !== undefined && hasChanged(found, claims)) {
    await updateContacts(db, found, claims, policy);
    found = await findBySubject(db, claims);
  }
  if (found !== undefined && mayBootstrap(found, policy)) {
    await makeAdmin(db, found, policy);
    found = await findBySubject(db, claims);
  }
  // Nobody is deleted, but who was erased meanwhile is not found any more.
  if (found === undefined) throw wasErased();
  const { contactsIssuedAt, erasedAt, ...user } = found;
  return user;
}

/** Finds a user by id. */
export async function find(db: Db, id: UserId): Promise<User | undefined> {
  const finding = db.raw<{ rows: User[] }>(`select ${USER} from users u where u.id = :id`, { id });
  return (await finding).rows[0];
}

/** Whether a user with that verified e-mail has signed in before. */
export async function isKnown(db: Db, email: string): Promise<boolean> {
  const known = db('users').whereRaw(`${comparedEmail('users')} = ?`, [inAscii(email)]);
  return (await known.where({ emailVerified: true }).first('id')) !== undefined;
}

/** The user, the age of the contacts, and when the person was erased. */
type Found = User & { contactsIssuedAt: Date | null; erasedAt: Date | null };

const USER = `u.id, u.iss, u.sub, u.role, u.status, u.email, u.email_verified, u.phone,
  u.phone_verified, u.name, u.language,
  case
    when u.role in ('client', 'pos_operator')
      then array(select m.tenant_id::text from memberships m
                 where m.user_id = u.id and m.role = u.role order by m.created_at, m.tenant_id)
    when u.role = 'consumer'
      then array(select w.tenant_id::text from wallets w
                 where w.user_id = u.id order by w.created_at)
    else array[]::text[]
  end as tenant_ids`;

async function findBySubject(db: Db, { iss, sub }: Claims): Promise<Found | undefined> {
  const finding = db.raw<{ rows: Found[] }>(
    `select ${USER}, u.contacts_issued_at, u.erased_at
     from users u where u.iss = :iss and u.sub = :sub`,
    { iss, sub },
  );
  const { rows } = await withKeptPlan(finding, 'users-by-subject');
  if (rows[0]?.erasedAt) throw wasErased();
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

/** Creates the user, unless a concurrent request has: that one is then waited for. */
async function create(db: Db, claims: Claims, policy: SignInPolicy): Promise<void> {
  const { clientIntent, contactsIssuedAt = null, ...identity } = claims;
  await db.transaction(async (tx) => {
    const [created] = await tx('users')
      .insert({
        ...identity,
        id: newId(),
        asciiEmail: otherSpellingOf(claims.email),
        emailVerifiedAt: claims.emailVerified ? tx.fn.now() : null,
        phoneVerifiedAt: claims.phoneVerified ? tx.fn.now() : null,
        contactsIssuedAt,
        role: clientIntent ? 'client' : 'consumer',
        status: clientIntent ? 'pending_approval' : 'active',
      })
      .onConflict(['iss', 'sub'])
      .ignore()
      .returning<{ id: UserId }[]>('id');
    if (created === undefined || clientIntent || !claims.emailVerified) return;
    if (isListed(claims, policy)) return;
    const by = auditLog.byUser(created.id, policy.requestId);
    await acceptFirst(tx, { userId: created.id, by });
  });
}

async function updateContacts(
  db: Db,
  known: Found,
  claims: Claims,
  { proofs }: SignInPolicy,
): Promise<void> {
  const { iss, sub, language, clientIntent, contactsIssuedAt = null, ...contacts } = claims;
  const proven = (contact: Contact) =>
    provenOf(db, contact, { was: known[contact], claims, proofs });
  await db('users')
    .where({ iss, sub })
    // Decided again under the row's lock: requests with an older and a newer token may be at once.
    .whereRaw(
      '(contacts_issued_at is null or :at::timestamptz is null or :at >= contacts_issued_at)',
      { at: contactsIssuedAt },
    )
    .update({
      ...contacts,
      asciiEmail: otherSpellingOf(claims.email),
      ...proven('email'),
      ...proven('phone'),
      contactsIssuedAt,
      updatedAt: db.fn.now(),
    });
}

type Contact = 'email' | 'phone';

/**
 * Since when a contact is verified, and the proof of one that the token leaves out: if a later one
 * brings the same again, it was not verified anew.
 */
function provenOf(
  db: Db,
  contact: Contact,
  { was, claims, proofs }: { was: string | null; claims: Claims } & Pick<SignInPolicy, 'proofs'>,
) {
  const [value, isVerified] = [claims[contact], claims[`${contact}Verified`]];
  return {
    [`${contact}VerifiedAt`]: db.raw(
      `case when :isVerified and not coalesce((${contact}_verified and ${contact} = :value)
         or ${contact}_proof = any(:same::bytea[]), false)
       then now() else ${contact}_verified_at end`,
      { isVerified, value, same: value === null ? [] : [...proofs(value)] },
    ),
    [`${contact}Proof`]: db.raw(
      `case when :value::text is not null then null
         when ${contact}_verified and ${contact} = :was::text then :proof::bytea
         else ${contact}_proof end`,
      { value, was, proof: was === null ? null : proofs(was)[0] },
    ),
  };
}

function mayBootstrap(user: User, policy: SignInPolicy): boolean {
  return (
    isListed(user, policy) &&
    user.status !== 'suspended' &&
    !(user.role === 'admin' && user.status === 'active')
  );
}

/** Whether the verified e-mail is one that bootstraps an admin. */
function isListed(
  person: Pick<User, 'email' | 'emailVerified'>,
  { adminEmailDomain, bootstrapAdminEmails }: SignInPolicy,
): boolean {
  if (person.email === null || !bootstrapAdminEmails.includes(person.email)) return false;
  return isInDomain(person, adminEmailDomain);
}

/**
 * Makes the user an admin, who then works at no till, unless this e-mail has made one before, also
 * one who was erased, or another e-mail has made this user one. The configuration names the e-mail,
 * so it is the service's operators who act.
 */
async function makeAdmin(
  db: Db,
  { id, role, status, email }: User,
  { proofs, requestId }: SignInPolicy,
): Promise<void> {
  const inHex = (proof: Buffer) => proof.toString('hex');
  const used = email === null ? [] : [email, ...proofs(email).map(inHex)];
  const by = { ...auditLog.byOps(), requestId };
  try {
    const isMade = await db.transaction(async (tx) => {
      const { rowCount } = await tx.raw<{ rowCount: number }>(
        `update users set (role, status, application) = ('admin', 'active', null),
           bootstrapped_as = :email, updated_at = now()
         where id = :userId and status <> 'suspended' and bootstrapped_as is null
           and not exists (select from users where bootstrapped_as = any(:used::text[]))`,
        { userId: id, email, used },
      );
      if (rowCount === 0) return false;
      await endAll(tx, id, { role: 'admin', by });
      await auditLog.insert(tx, {
        ...by,
        action: 'user.bootstrap',
        targetType: 'user',
        targetId: id,
        tenantId: null,
        reason: null,
        before: { role, status },
        after: { role: 'admin', status: 'active' },
      });
      return true;
    });
    if (isMade) announce(db, { accessOf: [id] });
  } catch (error) {
    // A concurrent request has used the e-mail for another user.
    if (violatedConstraint(error) !== 'users_bootstrap_once_per_email') throw error;
  }
}
