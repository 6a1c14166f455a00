import type { UserId } from '../../domain/ids.ts';
import type { Db } from '../connection.ts';
import { comparedEmail } from './spelling.ts';

/** What a user is matched with payments by. */
export type Contacts = {
  id: UserId;
  /** Verified ones only, in the form in which they are compared. */
  email: string | null;
  phone: string | null;
};

const MAY_HOLD_A_WALLET = `role in ('consumer', 'pos_operator')`;

/** In which form a contact is compared: a domain has a spelling in ASCII. */
const COMPARED = { email: comparedEmail('u'), phone: 'u.phone' };

/**
 * SQL: the user `u` with a verified contact of the row `q`; of several, the last to verify it: a
 * number or an address may get another owner, while the former one's tokens still carry it. One
 * that was verified before that was noted counts from the sign-up.
 */
export const lastToVerify = (contact: 'email' | 'phone') => `
    from users u
    where ${COMPARED[contact]} = q.${contact} and u.${contact}_verified
      and u.role in ('consumer', 'pos_operator')
    order by coalesce(u.${contact}_verified_at, u.created_at) desc, u.id limit 1`;

/**
 * Finds the owners of contacts, each an e-mail or a phone as it is compared, in the same order;
 * null for one that nobody has verified.
 */
export async function findOwners(
  db: Db,
  contacts: readonly { email: string | null; phone: string | null }[],
): Promise<(UserId | null)[]> {
  const { rows } = await db.raw<{ rows: { id: UserId | null }[] }>(
    `select coalesce(
       (select u.id ${lastToVerify('email')}),
       (select u.id ${lastToVerify('phone')})
     ) as id
     from unnest(:emails::text[], :phones::text[]) with ordinality as q(email, phone, nth)
     order by q.nth`,
    {
      emails: contacts.map(({ email }) => email),
      phones: contacts.map(({ phone }) => phone),
    },
  );
  return rows.map(({ id }) => id);
}

/** Finds the contacts of those of the users whose role can hold a wallet. */
export async function find(db: Db, ids: readonly UserId[]): Promise<Contacts[]> {
  const { rows } = await db.raw<{ rows: Contacts[] }>(
    `select id, case when email_verified then ${comparedEmail('users')} end as email,
       case when phone_verified then phone end as phone
     from users where id = any(:ids::uuid[]) and ${MAY_HOLD_A_WALLET}`,
    { ids: [...ids] },
  );
  return rows;
}

/**
 * Lists the phones of the users after `after`, in the order of their ids; null for one without a
 * phone to match by, so that each page costs the same.
 */
export async function listPhones(
  db: Db,
  { after, limit }: { after: UserId | null; limit: number },
): Promise<Contacts[]> {
  const { rows } = await db.raw<{ rows: Contacts[] }>(
    `select id, null as email,
       case when phone_verified and ${MAY_HOLD_A_WALLET} then phone end as phone
     from users where :after::uuid is null or id > :after order by id limit :limit`,
    { after, limit },
  );
  return rows;
}

/** Returns those of the fingerprints, in hex, that an anonymous payment has, or an import. */
export async function findAwaited(
  db: Db,
  fingerprints: readonly Buffer[],
): Promise<ReadonlySet<string>> {
  if (fingerprints.length === 0) return new Set();
  const { rows } = await db.raw<{ rows: { hex: string }[] }>(
    `select encode(f.fingerprint, 'hex') as hex from unnest(:fingerprints::bytea[]) f (fingerprint)
     where exists (select from payments where outcome = 'stored_anonymous'
         and email_fingerprint = f.fingerprint)
       or exists (select from payments where outcome = 'stored_anonymous'
         and phone_fingerprint = f.fingerprint)
       or exists (select from import_rows where fingerprint = f.fingerprint)`,
    { fingerprints: [...fingerprints] },
  );
  return new Set(rows.map(({ hex }) => hex));
}
