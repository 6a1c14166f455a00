import { randomInt } from 'node:crypto';
import { Refusal } from '../../domain/errors.ts';
import type { UserId } from '../../domain/ids.ts';
import { newMemberNumber } from '../../domain/member-number.ts';
import type { Db, Tx } from '../connection.ts';

// The numbers by which customers are recognised at tills.

const digit = () => randomInt(10);

/** Returns the member number of a user, made at the first read; FORBIDDEN once they are erased. */
export async function numberOf(db: Db, userId: UserId): Promise<string> {
  for (;;) {
    const user = await db('users')
      .where({ id: userId, erasedAt: null })
      .first<{ memberNumber: string | null } | undefined>('memberNumber');
    if (user === undefined) throw erased();
    if (user.memberNumber !== null) return user.memberNumber;
    await db.raw(
      `update users set member_number = :number
       where id = :userId and member_number is null and erased_at is null and ${IS_FREE}`,
      { userId, number: newMemberNumber(digit) },
    );
  }
}

/** Of 10^11 numbers one may be taken; two that draw it at the same moment fail, and try again. */
const IS_FREE = 'not exists (select from users where member_number = :number)';

/** How often a number may be replaced within 24 hours. */
export const MOST_ROTATIONS = 5;

/** Replaces the number of a user, which ends with it; undefined when that was done too often. */
export async function rotate(db: Db, userId: UserId): Promise<string | undefined> {
  const { rows } = await db.raw<{ rows: { memberNumber: string }[] }>(
    `update users u set member_number = :number, member_rotations = r.recent || now()
     from (
       select id, array(
         select at from unnest(member_rotations) at where at > now() - interval '1 day'
       ) as recent
       from users where id = :userId for no key update
     ) r
     where u.id = r.id and u.erased_at is null
       and cardinality(r.recent) < ${MOST_ROTATIONS} and ${IS_FREE}
     returning u.member_number`,
    { userId, number: newMemberNumber(digit) },
  );
  return rows[0]?.memberNumber;
}

/** A customer as a till knows them. */
export type Member = { id: UserId; name: string | null; email: string | null };

/** Finds the active consumer or operator with a member number. */
export async function findByNumber(db: Db, number: string): Promise<Member | undefined> {
  return db('users')
    .where({ memberNumber: number, status: 'active' })
    .whereIn('role', ['consumer', 'pos_operator'])
    .first<Member>('id', 'name', 'email');
}

/**
 * Throws FORBIDDEN if the person was erased. While the transaction is open, an erasure waits for it
 * before it looks for the wallets of the person: what it makes is found.
 */
export async function requireNotErased(tx: Tx, userId: UserId): Promise<void> {
  const user = await tx('users').where({ id: userId, erasedAt: null }).first('id');
  if (user === undefined) throw erased();
}

/** The refusal of whatever would change what was left of a person. */
export function erased(): Refusal {
  return new Refusal('FORBIDDEN', 'This person was erased: nothing changes any more.', 'erased');
}
