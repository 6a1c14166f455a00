import type { UserId } from '../../domain/ids.ts';
import { GUESSING } from '../../domain/redemption.ts';
import type { Db, Tx } from '../connection.ts';

/** Returns for how many seconds the operator may look up no code; 0 if they may. */
export async function secondsBlocked(db: Db, userId: UserId): Promise<number> {
  const { rows } = await db.raw<{ rows: { seconds: number }[] }>(
    `select ceil(extract(epoch from blocked_until - now()))::integer as seconds
     from code_guesses where user_id = :userId and blocked_until > now()`,
    { userId },
  );
  return rows[0]?.seconds ?? 0;
}

/**
 * Records an unknown code, by its HMAC, and returns whether the operator is blocked by it: it is
 * the last of so many different ones within the window. The count then starts again, so that no
 * block lasts longer. Concurrent calls count one after another.
 */
export async function recordUnknown(db: Db, userId: UserId, hmac: Buffer): Promise<boolean> {
  const { rows } = await db.raw<{ rows: { isBlocked: boolean }[] }>(
    `insert into code_guesses as g (user_id, codes)
     values (:userId,
       jsonb_build_object(:code::text, extract(epoch from statement_timestamp())))
     on conflict (user_id) do update set (codes, blocked_until) = (
       select
         case when count(*) >= :unknownCodes then '{}'
           else jsonb_object_agg(code.key, code.value) end,
         case when count(*) >= :unknownCodes
           then statement_timestamp() + make_interval(secs => :blockedSeconds)
           else g.blocked_until end
       from jsonb_each(g.codes || excluded.codes) code
       where code.value::numeric > extract(epoch from statement_timestamp()) - :withinSeconds
     )
     returning codes = '{}' as is_blocked`,
    { userId, code: hmac.toString('hex'), ...GUESSING },
  );
  return rows[0]?.isBlocked === true;
}

/** Starts the count again, because the operator has completed a code. */
export async function forget(tx: Tx, userId: UserId): Promise<void> {
  await tx('code_guesses').where({ userId }).whereNot('codes', '{}').update({ codes: '{}' });
}
