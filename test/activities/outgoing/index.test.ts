import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createActivities } from '../../../activities/index.ts';
import { newId } from '../../../db/new-id.ts';
import * as attempts from '../../../db/outgoing/attempts.ts';
import * as deliveries from '../../../db/outgoing/deliveries.ts';
import * as endpoints from '../../../db/outgoing/endpoints.ts';
import { fanOut, listDueTenants } from '../../../db/outgoing/fan-out.ts';
import * as secrets from '../../../db/outgoing/secrets.ts';
import type { EndpointId, TenantId, WalletId } from '../../../domain/ids.ts';
import { createSealer, createSubkeys } from '../../../gateways/crypto/sealer.ts';
import { bindingOfSecret } from '../../../gateways/webhooks/secret-binding.ts';
import { createWebhookSender } from '../../../gateways/webhooks/sender.ts';
import { newSecret } from '../../../gateways/webhooks/signature.ts';
import {
  aCredit,
  aTenant,
  aWallet,
  postByHand,
  required,
  testSealer,
} from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { anEndpoint, untilSettled } from '../../support/http/endpoints.ts';
import { type Receiver, startReceiver } from '../../support/http/webhook-receiver.ts';
import { activityDeps } from '../../support/temporal/activity-deps.ts';

const { db } = await useDatabase();
const WITHIN_MS = 1_500;
const webhooks = createWebhookSender({ allowsLoopback: true, withinMs: WITHIN_MS });
const { deliverEvents, listDueDeliveries } = createActivities(activityDeps(db, { webhooks }));

let receiver: Receiver;
let tenantId: TenantId;
let walletId: WalletId;
beforeEach(async () => {
  receiver = await startReceiver();
  tenantId = await aTenant(db);
  walletId = await aWallet(db, { tenantId });
});
afterEach(() => receiver.close());

/** Has that many events happen, one after another. */
async function happen(count: number): Promise<void> {
  for (let nth = 1; nth <= count; nth++) {
    await db.transaction((tx) => postByHand(tx, [aCredit(walletId, nth)]));
  }
  await untilSettled(db);
}
const listOf = (endpointId: EndpointId) =>
  deliveries.list(db, { tenantId, endpointId }, { before: null, limit: 100 });
/** Makes everything that waits due, as if its time had come. */
const timePasses = () =>
  db('webhook_deliveries')
    .where({ tenantId, status: 'pending' })
    .whereNotNull('nextAttemptAt')
    .update({ nextAttemptAt: db.fn.now(), plannedAt: null });

describe('delivering events', () => {
  it('sends each once, signed as the standard’s own library verifies', async () => {
    const endpoint = await anEndpoint(db, tenantId, { url: receiver.url });
    await happen(3);
    expect(await listDueDeliveries(null)).toContainEqual({ id: tenantId });
    expect(await deliverEvents(tenantId)).toEqual({ delivered: 3, failed: 0, nextInMs: null });
    expect(await deliverEvents(tenantId)).toEqual({ delivered: 0, failed: 0, nextInMs: null });

    const verifier = new Webhook(endpoint.secret);
    const told = receiver.received.map(({ body, headers }) =>
      verifier.verify(body, headers as Record<string, string>),
    );
    expect(told).toEqual(
      [1, 2, 3].map((points) => ({
        type: 'points.adjusted',
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        data: expect.objectContaining({ points, walletId }),
      })),
    );
    expect(JSON.stringify(told)).not.toMatch(/@|phone|email/);
    const list = await listOf(endpoint.id);
    expect(list.map(({ eventId }) => eventId).reverse()).toEqual(receiver.taken());
    expect(list[0]).toMatchObject({
      status: 'delivered',
      attempt: 1,
      responseStatus: 200,
      response: 'Thanks',
      error: null,
      nextAttemptAt: null,
    });
    expect(await listDueTenants(db, { after: null, limit: 100 })).not.toContain(tenantId);
  });

  it('counts an attempt as failed whose secret cannot be opened any more', async () => {
    const [lost] = createSubkeys([{ id: 'k1', key: randomBytes(32) }], 'webhook secrets');
    const sealer = createSealer([required(lost)]);
    const { id } = await anEndpoint(db, tenantId, { url: receiver.url, sealer });
    await happen(1);
    expect(await deliverEvents(tenantId)).toMatchObject({ delivered: 0, failed: 1 });
    const [delivery] = await listOf(id);
    expect(delivery).toMatchObject({ status: 'pending', attempt: 1, responseStatus: null });
    expect(delivery?.error).toContain('Rotate the secret');
    expect(receiver.received).toEqual([]);
    expect(await db('webhook_endpoints').where({ id }).first()).toMatchObject({ failures: 1 });

    const secret = newSecret();
    const sealed = testSealer.seal(secret, bindingOfSecret(id));
    await db.transaction((tx) => secrets.rotate(tx, id, sealed));
    await timePasses();
    expect(await deliverEvents(tenantId)).toMatchObject({ delivered: 1, failed: 0 });
    const { body, headers } = required(receiver.received[0]);
    new Webhook(secret).verify(body, headers as Record<string, string>);
  });

  it('sends only the types that an endpoint asks for', async () => {
    await anEndpoint(db, tenantId, { url: receiver.url, types: ['rule.published'] });
    await happen(1);
    expect(await deliverEvents(tenantId)).toMatchObject({ delivered: 0 });
  });

  it('sends each to one of two deliverers that work at the same moment', async () => {
    await anEndpoint(db, tenantId, { url: receiver.url });
    await happen(20);
    await Promise.all([deliverEvents(tenantId), deliverEvents(tenantId)]);
    await deliverEvents(tenantId);
    expect(receiver.taken()).toHaveLength(20);
    expect(new Set(receiver.taken()).size).toBe(20);
  });

  it('sends again, under the same id, what a killed worker had claimed', async () => {
    const { id } = await anEndpoint(db, tenantId, { url: receiver.url });
    await happen(1);
    await fanOut(db, tenantId, 10);
    const killed = required(await attempts.claim(db, tenantId, { alsoFailing: false }));
    expect(await attempts.claim(db, tenantId, { alsoFailing: true })).toBeUndefined();
    const { nextInMs } = await deliverEvents(tenantId);
    expect(nextInMs).toBeGreaterThan(10_000);
    await db('webhook_endpoints').where({ id }).update({ claimedUntil: db.fn.now() });
    expect(await deliverEvents(tenantId)).toMatchObject({ delivered: 1 });
    expect(receiver.taken()).toEqual([killed.eventId]);
  });

  it('is not held up by an endpoint that hangs, however much waits for it', async () => {
    const hanging = await startReceiver();
    hanging.answer('hang');
    await anEndpoint(db, tenantId, { url: hanging.url });
    await anEndpoint(db, tenantId, { url: hanging.url });
    await db('webhook_endpoints').where({ tenantId }).update({ failures: 3 });
    await anEndpoint(db, tenantId, { url: receiver.url });
    await happen(5);
    const round = deliverEvents(tenantId);
    await expect.poll(() => receiver.taken().length, { timeout: WITHIN_MS - 200 }).toBe(5);
    expect(hanging.received.length).toBeLessThanOrEqual(1);
    await hanging.close();
    await round;
  });

  it('waits 5 s after a failure, then 5 min and longer, and gives up', async () => {
    receiver.answer(500);
    const { id } = await anEndpoint(db, tenantId, { url: receiver.url });
    await happen(1);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt++) {
      const { nextInMs } = await deliverEvents(tenantId);
      waits.push(Math.round((nextInMs ?? 0) / 5_000) * 5);
      await timePasses();
    }
    expect(waits).toEqual([5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400, 0]);
    expect(await listOf(id)).toMatchObject([
      { status: 'failed', attempt: 10, error: 'The endpoint answered 500.', response: 'Thanks' },
    ]);
    expect(new Set(receiver.received.map((message) => message.id)).size).toBe(1);
  });

  it('makes what waits due at once when the endpoint answers again', async () => {
    receiver.answer(503);
    await anEndpoint(db, tenantId, { url: receiver.url });
    await happen(5);
    for (let nth = 0; nth < 3; nth++) {
      await deliverEvents(tenantId);
      await timePasses();
    }
    await deliverEvents(tenantId);
    receiver.answer(200);
    await happen(1);
    expect(await deliverEvents(tenantId)).toEqual({ delivered: 6, failed: 0, nextInMs: null });
    expect(new Set(receiver.taken()).size).toBe(6);
  });

  it('does not use up the attempts of one that is refused while others are taken', async () => {
    const { id } = await anEndpoint(db, tenantId, { url: receiver.url });
    await happen(1);
    receiver.answer(400);
    await deliverEvents(tenantId);
    receiver.answer(200);
    const [refused] = await listOf(id);
    const eventId = required(refused).eventId;
    for (let nth = 0; nth < 4; nth++) {
      await happen(1);
      await fanOut(db, tenantId, 10);
      // What is refused is refused again as soon as it is due.
      const other = required(await claimOther(eventId));
      await attempts.recordDelivered(db, { ...other, ...RESULT });
      const early = await attempts.claim(db, tenantId, { alsoFailing: true });
      expect(early?.eventId).toBe(nth === 0 ? eventId : undefined);
      if (early)
        await attempts.recordFailed(db, { ...early, ...RESULT }, { ...early, waitSeconds: 300 });
    }
    const [row] = await db('webhook_deliveries').where({ eventId }).select('step', 'attempt');
    expect(row).toEqual({ step: 1, attempt: 2 });
  });
  const RESULT = { milliseconds: 1, responseStatus: 400, response: '', error: null };
  const claimOther = async (eventId: string) => {
    const claimed = await attempts.claim(db, tenantId, { alsoFailing: true });
    expect(claimed?.eventId).not.toBe(eventId);
    return claimed;
  };
});

describe('a delivery in the middle of an attempt that fails', () => {
  const failed = { milliseconds: 1, responseStatus: 500, response: '', error: null };
  let id: EndpointId;
  const claimed = async () => required(await attempts.claim(db, tenantId, { alsoFailing: true }));
  const replay = (delivery: attempts.Attempt) =>
    db.transaction((tx) => deliveries.replay(tx, { tenantId, endpointId: id, id: delivery.id }));
  const revive = () =>
    db.transaction(async (tx) => {
      const locked = () => endpoints.lock(tx, tenantId, id);
      await endpoints.update(tx, await locked(), { status: 'disabled' });
      await endpoints.update(tx, await locked(), { status: 'active' });
    });

  beforeEach(async () => {
    ({ id } = await anEndpoint(db, tenantId, { url: receiver.url }));
    await happen(1);
    await fanOut(db, tenantId, 10);
  });

  it.each([
    { what: 'replayed', again: replay, waitSeconds: 86_400, plannedIn: null },
    { what: 'replayed in its last attempt', again: replay, waitSeconds: null, plannedIn: null },
    { what: 'replayed in an early attempt', again: replay, waitSeconds: 300, plannedIn: '1 hour' },
    { what: 'revived in an early attempt', again: revive, waitSeconds: 300, plannedIn: '1 hour' },
  ])('is sent again when it was $what', async ({ again, waitSeconds, plannedIn }) => {
    await db('webhook_deliveries')
      .where({ endpointId: id })
      .update({ plannedAt: db.raw('now() + ?::interval', [plannedIn]) });
    const attempt = await claimed();
    expect(attempt.isEarly).toBe(plannedIn !== null);
    await again(attempt);
    await attempts.recordFailed(db, { ...attempt, ...failed }, { ...attempt, waitSeconds });
    expect(await deliverEvents(tenantId)).toEqual({ delivered: 1, failed: 0, nextInMs: null });
    expect(receiver.taken()).toEqual([attempt.eventId]);
  });
});

describe('an endpoint', () => {
  it('is not disabled as gone by the answer of the address that it had before', async () => {
    const moved = await startReceiver();
    const { id } = await anEndpoint(db, tenantId, { url: receiver.url });
    await happen(1);
    await fanOut(db, tenantId, 10);
    const attempt = required(await attempts.claim(db, tenantId, { alsoFailing: true }));
    await db.transaction(async (tx) =>
      endpoints.update(tx, await endpoints.lock(tx, tenantId, id), { url: moved.url }),
    );
    const gone = { milliseconds: 1, responseStatus: 410, response: '', error: null };
    await attempts.recordGone(db, { ...attempt, ...gone });
    expect(await endpoints.get(db, tenantId, id)).toMatchObject({ status: 'active' });
    expect(await deliverEvents(tenantId)).toMatchObject({ delivered: 1, failed: 0 });
    expect(moved.taken()).toEqual([attempt.eventId]);
    await moved.close();
  });

  it('that answers 410 is disabled, keeps what waits, and gets it when active again', async () => {
    receiver.answer(410);
    const { id } = await anEndpoint(db, tenantId, { url: receiver.url });
    await happen(3);
    expect(await deliverEvents(tenantId)).toEqual({ delivered: 0, failed: 1, nextInMs: null });
    expect(await endpoints.get(db, tenantId, id)).toMatchObject({
      status: 'disabled',
      disabledReason: 'gone',
    });
    await happen(1);
    expect(await deliverEvents(tenantId)).toMatchObject({ delivered: 0, failed: 0 });
    receiver.answer(200);
    await db.transaction(async (tx) =>
      endpoints.update(tx, await endpoints.lock(tx, tenantId, id), { status: 'active' }),
    );
    expect(await deliverEvents(tenantId)).toEqual({ delivered: 4, failed: 0, nextInMs: null });
  });

  it.each(['deleted', 'disabled'])(
    'that is %s in the middle of an attempt gets no other',
    async (how) => {
      receiver.answer('hang');
      const { id } = await anEndpoint(db, tenantId, { url: receiver.url });
      await happen(2);
      const round = deliverEvents(tenantId);
      await expect.poll(() => receiver.received.length).toBe(1);
      await db.transaction(async (tx) => {
        if (how === 'deleted') return endpoints.remove(tx, tenantId, id);
        return endpoints.update(tx, await endpoints.lock(tx, tenantId, id), { status: 'disabled' });
      });
      expect(await round).toEqual({ delivered: 0, failed: 1, nextInMs: null });
      expect(receiver.received).toHaveLength(1);
    },
  );

  it('verifies with both secrets for a day after a rotation', async () => {
    const { id, secret: former } = await anEndpoint(db, tenantId, { url: receiver.url });
    const secret = newSecret();
    const sealed = testSealer.seal(secret, bindingOfSecret(id));
    await db.transaction((tx) => secrets.rotate(tx, id, sealed));
    await happen(1);
    await deliverEvents(tenantId);
    await db('webhook_endpoint_secrets')
      .where({ endpointId: id })
      .whereNotNull('endsAt')
      .update({ endsAt: db.fn.now() });
    await happen(1);
    await deliverEvents(tenantId);
    const verified = (key: string) =>
      receiver.received.map(({ body, headers }) => {
        try {
          return Boolean(new Webhook(key).verify(body, headers as Record<string, string>));
        } catch {
          return false;
        }
      });
    expect(verified(secret)).toEqual([true, true]);
    expect(verified(former)).toEqual([true, false]);
  });

  it('is sent a delivery again with the same id and body, and a test in no list', async () => {
    const { id } = await anEndpoint(db, tenantId, {
      url: receiver.url,
      types: ['points.adjusted'],
    });
    await happen(1);
    await deliverEvents(tenantId);
    const [delivery] = await listOf(id);
    await db.transaction((tx) =>
      deliveries.replay(tx, { tenantId, endpointId: id, id: required(delivery).id }),
    );
    const eventId = await db.transaction((tx) =>
      deliveries.addTest(tx, { tenantId, endpointId: id }),
    );
    await deliverEvents(tenantId);
    const [first, again, test] = receiver.received;
    expect(again).toMatchObject({ id: first?.id, body: first?.body });
    expect(test?.id).toBe(eventId);
    expect(JSON.parse(test?.body ?? '')).toMatchObject({
      type: 'endpoint.test',
      data: { endpointId: id },
    });
    expect(await listOf(id)).toMatchObject([{ attempt: 2, status: 'delivered' }]);
    expect(await db('webhook_deliveries').where({ eventId })).toEqual([]);
    const other = { tenantId, endpointId: id, id: newId() as never };
    await expect(db.transaction((tx) => deliveries.replay(tx, other))).rejects.toThrow('no such');
  });
});
