import { Refusal } from '../../domain/errors.ts';
import type { TenantId, UserId } from '../../domain/ids.ts';
import type { Role, UserStatus } from '../../domain/roles.ts';
import type { Db, Tx } from '../connection.ts';
import * as contactChanges from './contact-changes.ts';

// What administrators see and change of users. Sign-in is in users.ts.

export type FoundUser = {
  id: UserId;
  email: string | null;
  phone: string | null;
  role: Role;
  status: UserStatus;
  /** Where a client or operator works, or where a consumer holds a wallet. */
  tenantIds: TenantId[];
  createdAt: Date;
};

const FOUND_USER = `
  select u.id, u.email, u.phone, u.role, u.status, u.created_at,
    case when u.role in ('client', 'pos_operator')
      then array(select m.tenant_id::text from memberships m
                 where m.user_id = u.id and m.role = u.role
                 order by m.created_at, m.tenant_id)
      else array(select w.tenant_id::text from wallets w
                 where w.user_id = u.id order by w.created_at)
    end as tenant_ids
  from users u`;

/** A search has no second page: a longer text narrows it down. */
const MAX_FOUND = 50;
/** At most so many of the newest users are compared, and as many that an index finds. */
const MAX_COMPARED = 1_000;
/** Of other texts, the indexes would find every user. */
const HAS_TRIGRAM = /[\p{L}\p{N}]{3}/u;
const MAX_COMPARED_WITHOUT_INDEX = 10_000;

/**
 * Lists up to 50 users whose e-mail or phone contains the text, ignoring case, those pending
 * approval first, then the newest. An empty text lists only those pending approval.
 *
 * Takes as long with many users as with few: of a text that more than a thousand users have, those
 * listed need not be the very newest, and a text without three letters or digits in a row is only
 * looked for among the newest ten thousand users, and as many pending approval.
 */
export async function search(db: Db, text: string): Promise<FoundUser[]> {
  if (text === '') return listPending(db);
  const sought = { email: text, phone: digitsOf(text) };
  const indexed = (['email', 'phone'] as const).filter((name) => HAS_TRIGRAM.test(sought[name]));
  const { rows } = await db.raw<{ rows: FoundUser[] }>(
    `${FOUND_USER}
     where u.id = any(array(
       select u.id from users u
       where u.id = any(array(${[NEWEST, ...indexed.map(CONTAINING)].join(' union ')}))
       ${FIRST_PENDING} limit :found
     ))
     ${FIRST_PENDING}`,
    {
      email: containing(sought.email),
      phone: containing(sought.phone),
      compared: indexed.length > 0 ? MAX_COMPARED : MAX_COMPARED_WITHOUT_INDEX,
      found: MAX_FOUND,
    },
  );
  return rows;
}

async function listPending(db: Db): Promise<FoundUser[]> {
  const { rows } = await db.raw<{ rows: FoundUser[] }>(
    `${FOUND_USER} where u.status = 'pending_approval' order by u.created_at desc, u.id
     limit :found`,
    { found: MAX_FOUND },
  );
  return rows;
}

const FIRST_PENDING = `order by u.status = 'pending_approval' desc, u.created_at desc, u.id`;

// Many users may have the text: then the newest are among those who signed up last.
const NEWEST = `
  select id from (
    (select id, email, phone from users
     where status = 'pending_approval' order by created_at desc, id limit :compared)
    union all
    (select id, email, phone from users
     order by created_at desc, id limit :compared)
  ) newest
  where email ilike :email or phone like :phone`;

const CONTAINING = (contact: 'email' | 'phone') => `
  (select id from users where ${contact} ilike :${contact} limit :compared)`;

/** Returns a `like` pattern that matches texts containing this one literally. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Phones are stored without the spaces and punctuation that people type. */
function digitsOf(text: string): string {
  return /^[+\d\s()./-]*\d[+\d\s()./-]*$/.test(text) ? text.replace(/[^+\d]/g, '') : text;
}

/** Locks a user until the transaction ends. Throws NOT_FOUND. */
export async function lock(tx: Tx, userId: UserId): Promise<FoundUser> {
  // A row that only refers to the user, such as an administrator's audit entry, need not wait.
  await tx('users').where('id', userId).forNoKeyUpdate().select('id');
  const { rows } = await tx.raw<{ rows: FoundUser[] }>(`${FOUND_USER} where u.id = :userId`, {
    userId,
  });
  const user = rows[0];
  if (user === undefined) throw new Refusal('NOT_FOUND', 'There is no such user.');
  return user;
}

/**
 * Sets a user's role and status; only a suspended user has a status from before. Under another role
 * the user's contacts are compared with anonymous payments again: a merchant who becomes a consumer
 * may earn.
 */
export async function update(
  tx: Tx,
  userId: UserId,
  change: { role: Role; status: UserStatus },
): Promise<void> {
  const { role } = change;
  await tx('users').where('id', userId).whereNot({ role }).update(contactChanges.toCompare(tx));
  await tx('users')
    .where('id', userId)
    .update({
      ...change,
      statusBeforeSuspension:
        change.status === 'suspended' ? tx.ref('status_before_suspension') : null,
      updatedAt: tx.fn.now(),
    });
}
