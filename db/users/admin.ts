import type { Application } from '../../domain/application.ts';
import { Refusal } from '../../domain/errors.ts';
import type { TenantId, UserId } from '../../domain/ids.ts';
import type { Role, UserStatus } from '../../domain/roles.ts';
import type { Db, Tx } from '../connection.ts';

// What administrators see and change of users. Sign-in is in users.ts.

export type FoundUser = {
  id: UserId;
  /** As the identity provider says; null where it says none. */
  name: string | null;
  email: string | null;
  emailVerified: boolean;
  phone: string | null;
  phoneVerified: boolean;
  role: Role;
  status: UserStatus;
  /** Where a client or operator works, or where a consumer holds a wallet. */
  tenantIds: TenantId[];
  /** Where a client or operator has worked for longest. */
  shop: { tenantId: TenantId; name: string; country: string | null } | null;
  /** What they say of their shop, while they ask to become a merchant. */
  application: Application | null;
  createdAt: Date;
};

const FOUND_USER = `
  select u.id, u.name, u.email, u.email_verified, u.phone, u.phone_verified, u.role, u.status,
    u.application, u.created_at,
    case when u.role in ('client', 'pos_operator')
      then array(select m.tenant_id::text from memberships m
                 where m.user_id = u.id and m.role = u.role
                 order by m.created_at, m.tenant_id)
      else array(select w.tenant_id::text from wallets w
                 where w.user_id = u.id order by w.created_at)
    end as tenant_ids,
    (select jsonb_build_object('tenantId', t.id, 'name', t.name, 'country', t.country)
     from memberships m join tenants t on t.id = m.tenant_id
     where m.user_id = u.id and m.role = u.role
     order by m.created_at, m.tenant_id limit 1) as shop
  from users u`;

/** A search has no second page: a longer text narrows it down. */
const MAX_FOUND = 50;
/** At most so many of the newest users are compared, and as many that an index finds. */
const MAX_COMPARED = 1_000;
const MAX_COMPARED_WITHOUT_INDEX = 10_000;

/**
 * Lists up to 50 users whose e-mail or phone contains the text, ignoring case, those pending
 * approval first, then the newest. An empty text lists only those pending approval, of whom the one
 * who has waited longest comes first.
 *
 * A whole e-mail, a whole domain, the start of either contact, and a text that many users have are
 * found as fast among many users as among few. For other parts the work is that of the rarest three
 * characters in a row. Of a text that more than a thousand users have, those listed need not be the
 * very newest, and one without three letters or digits in a row is only looked for among the newest
 * ten thousand users, and as many pending approval.
 */
export async function search(db: Db, text: string): Promise<FoundUser[]> {
  if (text === '') return listPending(db);
  const { ways, values } = waysToFind(text);
  const { rows } = await db.raw<{ rows: FoundUser[] }>(
    `with ${NEWEST}
     ${FOUND_USER}
     where u.id = any(array(
       select id from (${[`select ${PLACE} from newest`, ...ways].join(' union ')}) u
       ${FIRST_PENDING} limit :found
     ))
     ${FIRST_PENDING}`,
    {
      ...values,
      compared: ways.length > 0 ? MAX_COMPARED : MAX_COMPARED_WITHOUT_INDEX,
      found: MAX_FOUND,
    },
  );
  return rows;
}

async function listPending(db: Db): Promise<FoundUser[]> {
  const { rows } = await db.raw<{ rows: FoundUser[] }>(
    `${FOUND_USER} where u.status = 'pending_approval' order by u.created_at, u.id desc
     limit :found`,
    { found: MAX_FOUND },
  );
  return rows;
}

/** What of a user decides whether he is listed. */
const PLACE = 'id, status, created_at';
const FIRST_PENDING = `order by u.status = 'pending_approval' desc, u.created_at desc, u.id`;

/**
 * Many users may have the text: then those to be listed are among those who signed up last, and no
 * more are needed unless more users are pending approval than were compared.
 */
const NEWEST = `
  recent as materialized (
    (select ${PLACE}, email, phone from users
     where status = 'pending_approval' order by created_at desc, id limit :compared)
    union
    (select ${PLACE}, email, phone from users
     order by created_at desc, id limit :compared)
  ),
  newest as materialized (
    select ${PLACE} from recent where email ilike :emailPart or phone like :phonePart
  ),
  others as materialized (
    select (select count(*) from newest) < :found
      or (select count(*) from recent where status = 'pending_approval') >= :compared as are_needed
  )`;
const ARE_NEEDED = '(select are_needed from others)';

/** Whether an e-mail is in the ordered indexes: no text that is searched for is longer. */
const IS_ORDERED = 'length(email) <= 320';
/** The rest of an e-mail is after its only @. */
const DOMAIN = `split_part(email, '@', 2)`;
const LOCAL_BACKWARDS = `reverse(split_part(email, '@', 1))`;

/** An e-mail contains such a text when its local part ends and its domain starts like it. */
const BY_MAILBOX = [
  `(select ${PLACE} from users
    where ${ARE_NEEDED} and ${IS_ORDERED}
      and ${DOMAIN} = :domain and ${LOCAL_BACKWARDS} like :localBackwards
    limit :compared)`,
  // Of longer domains there are few. Before Postgres 18 the index is read through all their users.
  `(select ${PLACE} from users
    where ${ARE_NEEDED} and ${IS_ORDERED} and ${DOMAIN} ~>~ :domain
      and ${DOMAIN} like :domainStart and ${LOCAL_BACKWARDS} like :localBackwards
    limit :compared)`,
];

const BY_START_OF_PHONE = `
  (select ${PLACE} from users where ${ARE_NEEDED} and phone like :phoneStart limit :compared)`;

/** Parts are looked for once the index of starts has not found enough. */
const BY_PART_OF_EMAIL = `
  (select ${PLACE} from users where ${ARE_NEEDED} and ${IS_ORDERED} and email like :emailStart
   union all
   select ${PLACE} from users
   where ${ARE_NEEDED} and email ilike :emailPart
     and not (${IS_ORDERED} and email like :emailStart)
   limit :compared)`;
const BY_PART_OF_PHONE = `
  (select ${PLACE} from users where ${ARE_NEEDED} and phone like :phonePart limit :compared)`;

/** Of other texts, the indexes of parts would find every user. */
const HAS_TRIGRAM = /[\p{L}\p{N}]{3}/u;
const MAILBOX = /^([^@]*)@([^@]+\.[^@]+)$/;

/** How users whose contacts contain the text are found by indexes, and the values for that. */
function waysToFind(text: string): { ways: string[]; values: Record<string, string> } {
  const phone = digitsOf(text);
  const values = { emailPart: `%${literally(text)}%`, phonePart: `%${literally(phone)}%` };
  // E-mails are stored in lower case.
  const [, local, domain] = MAILBOX.exec(text.toLowerCase()) ?? [];
  if (local !== undefined && domain !== undefined) {
    const localBackwards = startingWith([...local].reverse().join(''));
    const mailbox = { domain, domainStart: startingWith(domain), localBackwards };
    return { ways: BY_MAILBOX, values: { ...values, ...mailbox } };
  }
  const ways: string[] = [];
  if (HAS_TRIGRAM.test(text)) ways.push(BY_PART_OF_EMAIL);
  if (HAS_TRIGRAM.test(phone)) {
    // Only the start of a phone has a plus.
    ways.push(phone.startsWith('+') ? BY_START_OF_PHONE : BY_PART_OF_PHONE);
  }
  const starts = { emailStart: startingWith(text.toLowerCase()), phoneStart: startingWith(phone) };
  return { ways, values: { ...values, ...starts } };
}

const startingWith = (text: string) => `${literally(text)}%`;

/** Returns a `like` pattern that matches this text only. */
function literally(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** Phones are stored without the spaces and punctuation that people type. */
function digitsOf(text: string): string {
  return /^[+\d\s()./-]*\d[+\d\s()./-]*$/.test(text) ? text.replace(/[^+\d]/g, '') : text;
}

/** Returns a user of any role. Throws NOT_FOUND. */
export async function get(db: Db, userId: UserId): Promise<FoundUser> {
  const { rows } = await db.raw<{ rows: FoundUser[] }>(`${FOUND_USER} where u.id = :userId`, {
    userId,
  });
  const user = rows[0];
  if (user === undefined) throw new Refusal('NOT_FOUND', 'There is no such user.');
  return user;
}

/** A tenant where a user is a merchant, or works at the till. */
export type Membership = {
  tenantId: TenantId;
  name: string;
  role: 'owner' | 'operator';
  joinedAt: Date;
};

/** A person owns and works at few: a bound for a list without pages. */
const MAX_MEMBERSHIPS = 1_000;

/** Lists the tenants of a user, the first joined first. */
export async function listMemberships(db: Db, userId: UserId): Promise<Membership[]> {
  const { rows } = await db.raw<{ rows: Membership[] }>(
    `select m.tenant_id, t.name, m.created_at as joined_at,
       case m.role when 'client' then 'owner' else 'operator' end as role
     from memberships m join tenants t on t.id = m.tenant_id
     where m.user_id = :userId order by m.created_at, m.tenant_id limit :limit`,
    { userId, limit: MAX_MEMBERSHIPS },
  );
  return rows;
}

/** Locks a user until the transaction ends. Throws NOT_FOUND. */
export async function lock(tx: Tx, userId: UserId): Promise<FoundUser> {
  // A row that only refers to the user, such as an administrator's audit entry, need not wait.
  await tx('users').where('id', userId).forNoKeyUpdate().select('id');
  return get(tx, userId);
}

/**
 * Sets a user's role and status; only a suspended user has a status from before, and only who waits
 * to become a merchant an application. Under another role
 * the user's contacts are compared with anonymous payments again, by a trigger: a merchant who
 * becomes a consumer may earn.
 */
export async function update(
  tx: Tx,
  userId: UserId,
  change: { role: Role; status: UserStatus },
): Promise<void> {
  const isDecided = change.role !== 'client' || change.status === 'active';
  await tx('users')
    .where('id', userId)
    .update({
      ...change,
      statusBeforeSuspension:
        change.status === 'suspended' ? tx.ref('status_before_suspension') : null,
      application: isDecided ? null : tx.ref('application'),
      updatedAt: tx.fn.now(),
    });
}
