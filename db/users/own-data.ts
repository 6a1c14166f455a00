import type { UserId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language.ts';
import type { Role, UserStatus } from '../../domain/roles.ts';
import type { Db } from '../connection.ts';
import { one } from '../one.ts';

// What a person asks the service about themselves.

/** What the row of a user says about the person, without how they are told apart at sign-in. */
export type PersonData = {
  id: UserId;
  email: string | null;
  emailVerified: boolean;
  phone: string | null;
  phoneVerified: boolean;
  name: string | null;
  language: Language | null;
  memberNumber: string | null;
  role: Role;
  status: UserStatus;
  createdAt: Date;
};

/** Reads what is stored about a person. */
export async function readPerson(db: Db, userId: UserId): Promise<PersonData> {
  const rows = await db('users')
    .where({ id: userId })
    .select<PersonData[]>(
      'id',
      'email',
      'emailVerified',
      'phone',
      'phoneVerified',
      'name',
      'language',
      'memberNumber',
      'role',
      'status',
      'createdAt',
    );
  return one(rows, 'user');
}

/** Sets the language of a person, unless they were erased. */
export async function setLanguage(db: Db, id: UserId, language: Language): Promise<void> {
  await db('users').where({ id, erasedAt: null }).update({ language, updatedAt: db.fn.now() });
}

/** How many exports a person may have within 24 hours. */
export const MOST_EXPORTS = 3;

/** Counts an export that begins. Returns false, and counts nothing, where it is one too many. */
export async function countExport(db: Db, userId: UserId): Promise<boolean> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `update users u set data_exports = r.recent || now()
     from (
       select id, array(
         select at from unnest(data_exports) at where at > now() - interval '1 day'
       ) as recent
       from users where id = :userId for no key update
     ) r
     where u.id = r.id and cardinality(r.recent) < ${MOST_EXPORTS}`,
    { userId },
  );
  return rowCount === 1;
}
