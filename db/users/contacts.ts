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

/** Returns those of the fingerprints, in hex, that an anonymous payment carries. */
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
         and phone_fingerprint = f.fingerprint)`,
    { fingerprints: [...fingerprints] },
  );
  return new Set(rows.map(({ hex }) => hex));
}
