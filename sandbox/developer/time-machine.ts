import type { Db } from '../../db/connection.ts';
import type { EventRow } from '../../db/events/event-rows.ts';
import * as events from '../../db/events/operations.ts';
import { getTrail, type Trail } from '../../db/payments/trail.ts';
import type { PaymentId } from '../../domain/ids.ts';

/** So many webhooks, and so many polled sales, are shown. */
const SHOWN = 50;

/** What came in: by a webhook, or by a poll, which has no event. */
export type Arrival =
  | { kind: 'webhook'; id: string; at: Date; event: EventRow; trail: Trail | undefined }
  | { kind: 'polled'; id: string; at: Date; trail: Trail };

export type TimeMachine = {
  /** Reads the newest arrivals of all shops, newest first, with what came of them. */
  read(): Promise<Arrival[]>;
};

/**
 * Creates the reader of what came in. It keeps the payments that it has shown, and reads only those
 * again that have changed.
 */
export function createTimeMachine(db: Db): TimeMachine {
  let kept = new Map<string, Trail>();
  const trailsOf = async (ids: readonly PaymentId[]): Promise<Map<PaymentId, Trail>> => {
    const read = new Map<string, Trail>();
    const found = new Map<PaymentId, Trail>();
    for (const { id, version } of await versionsOf(db, ids)) {
      const key = `${id} ${version}`;
      const trail = kept.get(key) ?? (await getTrail(db, id));
      read.set(key, trail);
      found.set(id, trail);
    }
    kept = read;
    return found;
  };
  return {
    async read() {
      const came = await listEvents(db);
      const polled = await listPolled(db);
      const ids = [...came.flatMap(({ paymentId }) => paymentId ?? []), ...polled];
      const trails = await trailsOf([...new Set(ids)]);
      const webhooks = came.map((event) => ({
        kind: 'webhook' as const,
        id: event.id,
        at: event.receivedAt,
        event,
        trail: event.paymentId === null ? undefined : trails.get(event.paymentId),
      }));
      const others = polled.flatMap((id) => {
        const trail = trails.get(id);
        const kind = 'polled' as const;
        return trail === undefined ? [] : [{ kind, id, at: trail.payment.createdAt, trail }];
      });
      const arrivals: Arrival[] = [...webhooks, ...others];
      return arrivals.sort((a, b) => b.at.getTime() - a.at.getTime());
    },
  };
}

async function listEvents(db: Db): Promise<EventRow[]> {
  const kinds = ['processed', 'pending', 'given-up', 'unknown'] as const;
  const listed = await Promise.all(kinds.map((kind) => events.list(db, { kind, limit: SHOWN })));
  const newestFirst = listed.flat().sort((a, b) => b.receivedAt.getTime() - a.receivedAt.getTime());
  return newestFirst.slice(0, SHOWN);
}

/** A payment that a webhook has brought has the id of its event. */
async function listPolled(db: Db): Promise<PaymentId[]> {
  const { rows } = await db.raw<{ rows: { id: PaymentId }[] }>(
    `select p.id from payments p
     where not exists (select from event_outcomes o where o.id = p.id)
     order by p.created_at desc limit ${SHOWN}`,
  );
  return rows.map(({ id }) => id);
}

/** Each change of a row, and each event and entry of it, makes another version. */
async function versionsOf(db: Db, ids: readonly PaymentId[]) {
  const { rows } = await db.raw<{ rows: { id: PaymentId; version: string }[] }>(
    `select p.id, concat_ws('-', p.xmin, (
       select count(*) from event_outcomes o where o.payment_id = p.id
     ), (
       select count(*) from ledger_entries l
       where l.wallet_id = p.wallet_id and l.source_type = 'payment' and l.source_id = p.id
     )) as version
     from payments p where p.id = any(:ids::uuid[])`,
    { ids: [...ids] },
  );
  return rows;
}
