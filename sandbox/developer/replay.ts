import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../db/connection.ts';
import * as events from '../../db/events/operations.ts';
import type { EventId, PaymentId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import { webhookUrl } from '../environment.ts';
import { simulatedProviders } from '../providers/index.ts';
import { CommandRefused } from '../providers/shared/refusal.ts';

const INGESTED_WITHIN_MS = 30_000;
const POLL_MS = 50;

/** What each provider signs its webhooks with, and the address that is registered there. */
export type WebhookKeys = Readonly<Record<Provider, { key: string; url: string }>>;

/** What a sale stands at: its part of the ledger, and the balance of its wallet. */
export type Standing = { points: number; entries: number; balance: number };

export type Replayed = {
  /** The status that the service answered the webhook with. */
  status: number;
  /** How the copy ended; null while it has not. */
  outcome: string | null;
  /** Null for an event about no sale. */
  before: Standing | null;
  after: Standing | null;
};

/**
 * Sends a stored webhook once more as its provider would: the same bytes, with its signature; and
 * waits for what comes of it. Throws NOT_FOUND, or a CommandRefused when its bytes are deleted.
 */
export async function replay(
  { db, api, webhookKeys }: { db: Db; api: string; webhookKeys: WebhookKeys },
  id: EventId,
): Promise<Replayed> {
  const event = await events.get(db, id);
  if (event.body.length === 0) {
    throw new CommandRefused('The service has deleted the bytes of this webhook by now.');
  }
  const before = await standingOf(db, event.paymentId);
  const correlationId = `replay-${randomUUID()}`;
  const body = event.body.toString('utf8');
  const response = await fetch(webhookUrl(api, event.provider), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-correlation-id': correlationId,
      ...simulatedProviders[event.provider].sign({ body, ...webhookKeys[event.provider] }),
    },
    body,
  });
  await response.arrayBuffer();
  const outcome = response.ok ? await outcomeOf(db, correlationId) : null;
  return {
    status: response.status,
    outcome,
    before,
    after: await standingOf(db, event.paymentId),
  };
}

async function outcomeOf(db: Db, correlationId: string): Promise<string | null> {
  for (const until = Date.now() + INGESTED_WITHIN_MS; Date.now() < until; await sleep(POLL_MS)) {
    const row = await db('event_outcomes')
      .where({ correlationId })
      .whereRaw(`received_at > now() - interval '1 hour'`)
      .first<{ outcome: string } | undefined>('outcome');
    if (row !== undefined) return row.outcome;
  }
  return null;
}

async function standingOf(db: Db, paymentId: PaymentId | null): Promise<Standing | null> {
  if (paymentId === null) return null;
  const { rows } = await db.raw<{ rows: Standing[] }>(
    `select p.points_awarded - p.points_reversed as points, coalesce(w.balance, 0) as balance, (
       select count(*) from ledger_entries l
       where l.wallet_id = p.wallet_id and l.source_type = 'payment' and l.source_id = p.id
     ) as entries
     from payments p left join wallets w on w.id = p.wallet_id
     where p.id = :paymentId`,
    { paymentId },
  );
  return rows[0] ?? null;
}
