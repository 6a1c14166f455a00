import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../db/connection.ts';
import * as attempts from '../../db/outgoing/attempts.ts';
import { fanOut } from '../../db/outgoing/fan-out.ts';
import type { TenantId } from '../../domain/ids.ts';
import { messageBody, TEST_EVENT } from '../../domain/webhook-event.ts';
import { secondsUntilNext } from '../../domain/webhook-retries.ts';
import type { Sealer } from '../../gateways/crypto/sealer.ts';
import type { Metrics } from '../../gateways/telemetry/metrics.ts';
import { bindingOfSecret } from '../../gateways/webhooks/secret-binding.ts';
import type { Sent, WebhookSender } from '../../gateways/webhooks/sender.ts';
import { continues } from '../progress.ts';

export type DeliveryDeps = {
  db: Db;
  webhookSealer: Sealer;
  webhooks: WebhookSender;
  metrics: Pick<Metrics, 'webhookSent'>;
};

/** What a round has done, and in how many milliseconds the next one has something to do. */
export type DeliveryRound = { delivered: number; failed: number; nextInMs: number | null };

const ROUND_MS = 20_000;
/** How many events each endpoint reads at a time. */
const READ_AT_ONCE = 500;
/** How long one of two lanes waits for new work while the other one is sending. */
const LOOK_EVERY_MS = 200;

/**
 * Delivers what is due for a tenant, for some seconds: two attempts at a time, of which one at most
 * is of an endpoint that fails, so that it holds up no other. Run twice, or at the same moment, an
 * attempt is made by one of them; killed halfway, it is made again under the same id.
 */
export async function deliverRound(deps: DeliveryDeps, tenantId: TenantId): Promise<DeliveryRound> {
  const { db } = deps;
  const until = performance.now() + ROUND_MS;
  const counts = { delivered: 0, failed: 0 };
  let busy = 0;

  async function takeOne(alsoFailing: boolean): Promise<boolean> {
    const attempt = await attempts.claim(db, tenantId, { alsoFailing });
    if (attempt === undefined) return false;
    busy++;
    try {
      const isTaken = await make(deps, attempt);
      counts[isTaken ? 'delivered' : 'failed']++;
    } finally {
      busy--;
    }
    return true;
  }

  async function lane(alsoFailing: boolean): Promise<void> {
    while (performance.now() < until) {
      continues();
      if (await takeOne(alsoFailing)) continue;
      if ((await fanOut(db, tenantId, READ_AT_ONCE)) > 0) continue;
      // What comes while the other lane waits for its endpoint is not to wait, too.
      if (busy === 0) return;
      await sleep(LOOK_EVERY_MS);
    }
  }

  await fanOut(db, tenantId, READ_AT_ONCE);
  await Promise.all([lane(true), lane(false)]);
  return { ...counts, nextInMs: await attempts.nextDueIn(db, tenantId) };
}

/** Makes an attempt and records what came of it. Says whether the endpoint took it. */
async function make(deps: DeliveryDeps, attempt: attempts.Attempt): Promise<boolean> {
  const { webhooks, metrics } = deps;
  const { eventId: id, url } = attempt;
  const secrets = secretsOf(deps, attempt);
  const sent =
    secrets.length === 0
      ? UNSIGNED
      : await webhooks.send({ id, url, body: messageBody(attempt), secrets });
  await record(deps.db, attempt, sent);
  metrics.webhookSent(sent.isTaken ? 'delivered' : 'failed', sent.milliseconds / 1_000);
  return sent.isTaken;
}

/** Counts as any failure, so that its owners are told of an endpoint that gets nothing. */
const UNSIGNED: Sent = {
  isTaken: false,
  milliseconds: 0,
  responseStatus: null,
  response: null,
  error: 'Its secret cannot be read. Rotate the secret.',
};

/** The secrets that sign an attempt, but those that cannot be opened: their key is gone. */
function secretsOf(
  { webhookSealer }: DeliveryDeps,
  { sealedSecrets, endpointId }: attempts.Attempt,
): string[] {
  return sealedSecrets.flatMap((sealed) => {
    try {
      return webhookSealer.open(sealed, bindingOfSecret(endpointId));
    } catch {
      return [];
    }
  });
}

const GONE = 410;

async function record(db: Db, attempt: attempts.Attempt, sent: Sent): Promise<void> {
  const { id, endpointId, claim, type, step, isEarly } = attempt;
  const { isTaken, ...result } = sent;
  const ended = { id, endpointId, claim, ...result };
  if (isTaken) await attempts.recordDelivered(db, ended);
  else if (result.responseStatus === GONE) await attempts.recordGone(db, ended);
  else if (type !== TEST_EVENT) {
    await attempts.recordFailed(db, ended, { waitSeconds: secondsUntilNext(step), isEarly });
  }
  if (type === TEST_EVENT) await attempts.endTest(db, ended);
}
