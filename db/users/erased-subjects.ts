import type { Claims } from '../../domain/claims.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Db, Tx } from '../connection.ts';

// The subjects of tokens that belonged to people who were erased, recognised by keyed hashes.

type Subject = Pick<Claims, 'iss' | 'sub'>;
/** One HMAC per key, the current key's first. */
type Proofs = (text: string) => readonly [Buffer, ...Buffer[]];

const hmacsOf = ({ iss, sub }: Subject, proofs: Proofs) => proofs(JSON.stringify([iss, sub]));

/** Has the tokens of a subject refused that were issued until now. */
export async function addErased(tx: Tx, subject: Subject, proofs: Proofs): Promise<void> {
  await tx('erased_subjects')
    .insert({ subjectHmac: hmacsOf(subject, proofs)[0] })
    .onConflict('subjectHmac')
    .merge({ erasedAt: tx.fn.now() });
}

/**
 * Throws UNAUTHORIZED for a token that was issued before its subject was erased. A later one is of
 * a new person, who has nothing.
 */
export async function requireNotErased(db: Db, claims: Claims, proofs: Proofs): Promise<void> {
  const row = await db('erased_subjects')
    .whereIn('subjectHmac', [...hmacsOf(claims, proofs)])
    .orderBy('erasedAt', 'desc')
    .first<{ erasedAt: Date } | undefined>('erasedAt');
  const { contactsIssuedAt: issuedAt } = claims;
  if (row !== undefined && (issuedAt === undefined || issuedAt <= row.erasedAt)) throw wasErased();
}

/** The refusal of a token of somebody who was erased. */
export function wasErased(): Refusal {
  const message = 'This account was erased, and the token is older than that. Sign in again.';
  return new Refusal('UNAUTHORIZED', message, 'token_invalid');
}

/** How long erased subjects are recognised: longer than any token lives. */
const KEPT_DAYS = 30;

/** Forgets up to `limit` subjects whose tokens have all expired, and returns how many. */
export async function deleteOld(db: Db, limit: number): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `delete from erased_subjects where subject_hmac = any(array(
       select subject_hmac from erased_subjects
       where erased_at < now() - interval '${KEPT_DAYS} days'
       order by erased_at limit :limit))`,
    { limit },
  );
  return rowCount;
}
