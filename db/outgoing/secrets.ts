import type { EndpointId } from '../../domain/ids.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Db, Tx } from '../connection.ts';
import { OLD, type Page } from '../key-rotation.ts';
import { newId } from '../new-id.ts';

/** How long a replaced secret still signs. */
const SIGNS_FOR_HOURS = 24;
/** A header has to stay short: of secrets replaced within a day, no more than these sign. */
const MAX_SIGNING = 20;

/** The sealed secrets that sign what is sent to an endpoint `e`, newest first, as SQL. */
export const SIGNING_SECRETS = `array(
  select s.sealed_secret from webhook_endpoint_secrets s
  where s.endpoint_id = e.id and (s.ends_at is null or s.ends_at > statement_timestamp())
  order by s.created_at desc, s.id desc limit ${MAX_SIGNING})`;

/** Gives a locked endpoint another secret; the one before signs beside it for 24 hours. */
export async function rotate(tx: Tx, endpointId: EndpointId, sealedSecret: Sealed): Promise<void> {
  await tx('webhook_endpoint_secrets')
    .where('endsAt', '<', tx.fn.now())
    .where({ endpointId })
    .delete();
  await tx('webhook_endpoint_secrets')
    .where({ endpointId })
    .whereNull('endsAt')
    .update({ endsAt: tx.raw('now() + make_interval(hours => ?)', [SIGNS_FOR_HOURS]) });
  await tx('webhook_endpoint_secrets').insert({ id: newId(), endpointId, sealedSecret });
}

export type SealedSecret = { id: string; endpointId: EndpointId; sealedSecret: Sealed };

/** Lists secrets that are not sealed under key `notUnder`. */
export async function listSealed(db: Db, page: Page<string>): Promise<SealedSecret[]> {
  const { rows } = await db.raw<{ rows: SealedSecret[] }>(
    `select id, endpoint_id, sealed_secret from ${OLD.endpointSecrets}
       and (:after::uuid is null or id > :after::uuid)
     order by id limit :limit`,
    page,
  );
  return rows;
}

/** Replaces the sealed form of a secret unless it was deleted; returns whether it did. */
export async function reseal(db: Db, old: SealedSecret, renewed: Sealed): Promise<boolean> {
  const { id, sealedSecret } = old;
  const replaced = await db('webhook_endpoint_secrets')
    .where({ id, sealedSecret })
    .update({ sealedSecret: renewed });
  return replaced > 0;
}
