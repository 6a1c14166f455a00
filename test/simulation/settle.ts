import { setTimeout as sleep } from 'node:timers/promises';
import { dayTextOf } from '../../domain/intervals.ts';
import { runCron } from '../support/providers/chaotic-shop.ts';
import { circumstancesOf } from './circumstances.ts';
import type { Deployment } from './deployment.ts';
import { expectCurrent } from './following.ts';
import { expectNameless } from './forgotten.ts';
import { lookCloser } from './look-closer.ts';
import { expectMailed } from './mailed.ts';
import type { View } from './model/view.ts';
import { Contradiction } from './model.ts';
import { observe } from './observe.ts';
import { disconnectRival, reconnect } from './perform-at-accounts.ts';
import { suspend, suspendShop } from './perform-in-team.ts';
import type { Play } from './playing.ts';
import { askAsMerchant } from './shop.ts';
import { expectTold } from './told.ts';
import { Unsteady } from './unsteady.ts';
import { untilReached } from './until-reached.ts';
import { endWalk } from './walking.ts';

/**
 * What settles at all settles within this, after the last fault of any history: what a killed
 * process had taken is free after two minutes.
 */
const LATEST_MS = 130_000;
/** With nothing left to be done, what is shown does not become right any more. */
const QUIET_MS = 6_000;
/** A poll that ends may have begun before what it is to find, and one that fails does not end. */
const ENOUGH_POLLS = 2;
const DELIVERED_WITHIN_MS = 50;
const FIRST_PAUSE_MS = 40;
const LONGEST_PAUSE_MS = 500;

/**
 * Lets everything of the shop come to its end, and compares what the service then shows with the
 * model. Throws a Contradiction when it stays different.
 */
export async function checkpoint(play: Play): Promise<void> {
  await Promise.all(play.caused.splice(0));
  const { suspended } = play.model.world;
  for (const person of [...suspended]) await suspend(play, { do: 'reinstate', person });
  if (play.model.world.isShopSuspended) await suspendShop(play, { do: 'reinstate-shop' });
  await disconnectRival(play);
  for (const provider of ['alpha', 'beta'] as const) await reconnect(play, provider);
  await sleep(Math.max(0, play.rulesDueAt - Date.now()));

  const allowed = play.model.settledViews();
  const texts = new Set(allowed.map((view) => JSON.stringify(view)));
  const startedAt = Date.now();
  let shown = '';
  let shownSince = startedAt;
  let wasQuiet = false;
  const polls = new Set<number>();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const view = await observe(play).catch(unlessUnsteady);
    const text = JSON.stringify(view);
    if (!(view instanceof Unsteady) && texts.has(text)) {
      play.needsPoll = false;
      play.needsTruth = false;
      play.model.settledAs(view);
      return lookAround(play);
    }
    if (text !== shown) shownSince = Date.now();
    shown = text;

    const undisturbedMs = Math.min(Date.now() - startedAt, play.faults.quietMs());
    const unchangedMs = Math.min(Date.now() - shownSince, undisturbedMs);
    const isQuiet = unchangedMs > QUIET_MS && (await isIdle(play, polls));
    // What has ended since the view was read is in the next one.
    if ((isQuiet && wasQuiet) || undisturbedMs > LATEST_MS) {
      if (view instanceof Unsteady) throw view;
      throw new Contradiction(`${differenceOf(view, allowed)}\n${await circumstancesOf(play)}`);
    }
    wasQuiet = isQuiet;
    await sleep(pauseMs);
    if (pauseMs > FIRST_PAUSE_MS) await hasten(play);
  }
}

/** Compares what the service shows and tells elsewhere, when nothing is left to be done. */
async function lookAround(play: Play): Promise<void> {
  const erased = [...play.shop.erased.values()].map(({ userId }) => userId);
  await expectNameless(play.deployment.db, erased);
  const shown = await expectTold(play);
  await expectMailed(play, shown);
  if (play.walk !== undefined) await endWalk(play.walk);
  play.walk = undefined;
  if (play.page !== undefined) await expectCurrent(play, play.page);
  play.page = undefined;
  await lookCloser(play, shown);
}

function unlessUnsteady(error: unknown): Unsteady {
  if (error instanceof Unsteady) return error;
  throw error;
}

/**
 * Whether nothing of the shop is waiting to be done, nor a webhook of anybody to be delivered. Of a
 * day that is to be brought in only time tells: its run may wait for the heartbeat of a worker that
 * was killed. `polls` is where it notes when polls have ended, since it was asked first.
 */
async function isIdle(
  { deployment, shop, needsPoll, needsTruth }: Play,
  polls: Set<number>,
): Promise<boolean> {
  if (needsTruth) return false;
  const { alpha, beta } = deployment.providers;
  const delivered = Promise.all([alpha.idle(), beta.idle()]).then(() => true);
  if (!(await Promise.race([delivered, sleep(DELIVERED_WITHIN_MS, false)]))) return false;
  const { tenantId } = shop;
  const merchantIds = Object.values(shop.merchantIds);
  const userIds = [...shop.people.values()].map(({ userId }) => userId);
  return untilReached(async () => {
    const { rows } = await deployment.db.raw<{ rows: { isIdle: boolean; polledAt: Date }[] }>(
      `select not exists (select from pending_events where tenant_id = :tenantId)
         and not exists (select from stalled_events
           where tenant_id is null and merchant_id = any(:merchantIds::text[]))
         and not exists (select from redemptions where tenant_id = :tenantId
           and status = 'issued' and expires_at <= now())
         and not (:needsPoll and exists (
           select from pos_connections c join connection_polls p on p.connection_id = c.id
           where c.tenant_id = :tenantId and p.leased_until > now()))
         and not exists (select from due_work
           where (kind = 'match_signup' and subject_id = any(:userIds::uuid[]))
             or (kind = 'decide_again' and subject_id = :tenantId)) as is_idle,
         (select coalesce(max(last_polled_at), 'epoch')
           from pos_connections c join connection_polls p on p.connection_id = c.id
           where c.tenant_id = :tenantId) as polled_at`,
      { tenantId, merchantIds, userIds, needsPoll },
    );
    const [row] = rows;
    polls.add(row?.polledAt.getTime() ?? 0);
    return row?.isIdle === true && (!needsPoll || polls.size > ENOUGH_POLLS);
  });
}

/**
 * Ends back-offs of the shop, which nobody has to wait for, and runs what cron runs. A poll reads
 * again what webhooks have told, so it comes only where it has to.
 */
async function hasten(play: Play): Promise<void> {
  const { deployment, shop, needsPoll } = play;
  const { db } = deployment;
  redeliver(play);
  const { tenantId } = shop;
  await untilReached(async () => {
    await db('pos_connections')
      .where({ tenantId })
      .where('ask_again_at', '>', db.fn.now())
      .update({ askAgainAt: db.fn.now() });
    await db('pending_events')
      .where({ tenantId })
      .where('next_attempt_at', '>', db.fn.now())
      .update({ nextAttemptAt: db.fn.now() });
    const userIds = [...play.shop.people.values()].map(({ userId }) => userId);
    await db('due_work')
      .whereIn('subjectId', [tenantId, ...userIds])
      .whereNull('takenUntil')
      .where('dueAt', '>', db.fn.now())
      .update({ dueAt: db.fn.now() });
  });
  // Histories that wait at the same time share what cron does for all tenants.
  await shared(deployment, 'process-pending-webhooks');
  if (needsPoll) await shared(deployment, 'alpha-poll-payments');
  if (play.needsTruth) await bringIn(play);
}

const HOUR_MS = 3_600_000;

/** Has the days of beta's sales brought in, on the clocks that the shop may go by. */
async function bringIn({ deployment, shop }: Play): Promise<void> {
  const { tenantId, timeZone } = shop;
  const connection = await untilReached(() =>
    deployment.db('pos_connections').where({ tenantId, provider: 'beta' }).first('id'),
  );
  const times = [new Date(), new Date(Date.now() - HOUR_MS)];
  const days = times.flatMap((time) => ['UTC', timeZone].map((zone) => dayTextOf(time, zone)));
  for (const day of new Set(days)) {
    const path = `/pos-connections/${connection.id}/truth/${day}/repair`;
    // The API, or Temporal, is down at this moment: the next turn asks again.
    await askAsMerchant(deployment, shop, { path, body: {} }).catch(() => undefined);
  }
}

/** Both simulated providers give a webhook up after so many attempts. */
const LAST_ATTEMPT = 12;

/**
 * Lets providers send again what they gave up, until it arrives. Their minutes are short here, so
 * that they lose patience with a service that is away for longer than a minute and a half.
 */
function redeliver({ deployment, shop, redelivered }: Play): void {
  for (const provider of ['alpha', 'beta'] as const) {
    const at = deployment.providers[provider];
    for (const entry of at.journal()) {
      if (entry.kind !== 'delivery' || entry.attempt < LAST_ATTEMPT) continue;
      if (entry.outcome === 'accepted' || entry.merchantId !== shop.merchantIds[provider]) continue;
      const attempt = `${entry.eventId} ${entry.attempt}`;
      if (redelivered.has(attempt)) continue;
      redelivered.add(attempt);
      at.redeliver(entry.eventId);
    }
  }
}

type Job = 'alpha-poll-payments' | 'process-pending-webhooks';
const running = new Map<string, Promise<void>>();

function shared(deployment: Deployment, job: Job): Promise<void> {
  const key = `${deployment.urls[0]} ${job}`;
  const started = running.get(key) ?? cronOf(deployment, job).finally(() => running.delete(key));
  running.set(key, started);
  return started;
}

async function cronOf({ urls, cronSecret }: Deployment, job: Job): Promise<void> {
  try {
    await runCron({ apiUrl: urls[0] ?? '', env: { CRON_SECRET: cronSecret } }, [job]);
  } catch {
    // The API is down at this moment, or a provider is: the next turn runs it again.
  }
}

/** Says where what is shown differs from the allowed view that is nearest to it. */
function differenceOf(view: View, allowed: readonly View[]): string {
  const shown = linesOf(view);
  const differences = allowed.map((each) => {
    const expected = linesOf(each);
    const missing = [...expected].filter((line) => !shown.has(line));
    const excess = [...shown].filter((line) => !expected.has(line));
    return [
      ...missing.map((line) => `expected  ${line}`),
      ...excess.map((line) => `but shows ${line}`),
    ];
  });
  const [nearest = []] = differences.sort((one, other) => one.length - other.length);
  const among = `${allowed.length} allowed ${allowed.length === 1 ? 'end' : 'ends'}`;
  return [`The service shows none of ${among}; the nearest differs in:`, ...nearest].join('\n  ');
}

function linesOf(view: View): Set<string> {
  const lines = Object.entries(view).flatMap(([part, items]) =>
    Object.entries(items).flatMap(([name, item]) =>
      typeof item === 'object' && item !== null
        ? Object.entries(item).map(([key, value]) => `${part} ${name} ${key}: ${textOf(value)}`)
        : [`${part} ${name}: ${textOf(item)}`],
    ),
  );
  return new Set(lines);
}

function textOf(value: unknown): string {
  return JSON.stringify(value);
}
