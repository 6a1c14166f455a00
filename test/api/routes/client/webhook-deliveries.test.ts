import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fanOut } from '../../../../db/outgoing/fan-out.ts';
import type { EndpointId, TenantId } from '../../../../domain/ids.ts';
import { aCredit, aTenant, aWallet, postByHand } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { nextPath, type SignedIn } from '../../../support/http/app.ts';
import { anEndpoint, untilSettled } from '../../../support/http/endpoints.ts';

const deliverEventsLater = vi.fn();
const app = await useApp({ orchestrator: { deliverEventsLater } });
const { db } = app;

let merchant: SignedIn;
let tenantId: TenantId;
let endpointId: EndpointId;
beforeEach(async () => {
  merchant = await app.signIn({ role: 'client' });
  tenantId = await aTenant(db, { ownerId: merchant.userId });
  const walletId = await aWallet(db, { tenantId });
  endpointId = (await anEndpoint(db, tenantId)).id;
  for (const points of [1, 2, 3]) {
    await db.transaction((tx) => postByHand(tx, [aCredit(walletId, points)]));
  }
  await untilSettled(db);
  await fanOut(db, tenantId, 100);
  deliverEventsLater.mockClear();
});

const call = (method: string, path: string, headers = {}) => {
  const { token } = merchant;
  return app.call({ method, path: `/api/v1/client/tenants/${tenantId}${path}`, token, headers });
};
const deliveries = () => `/webhook-endpoints/${endpointId}/deliveries`;
type Listed = { id: string; eventId: string; status: string }[];

describe('GET …/deliveries', () => {
  it('200 newest first, by pages', async () => {
    const first = await call('GET', `${deliveries()}?limit=2`);
    const path = nextPath(first) ?? '';
    const second = await app.call({ path, token: merchant.token });
    const all = [...first.json<Listed>(), ...second.json<Listed>()];
    const events = (await call('GET', '/events')).json<{ id: string }[]>();
    expect(all.map(({ eventId }) => eventId)).toEqual(events.map(({ id }) => id).reverse());
    expect(all[0]).toEqual({
      id: expect.any(String),
      eventId: expect.any(String),
      type: 'points.adjusted',
      status: 'pending',
      attempt: 0,
      milliseconds: null,
      responseStatus: null,
      response: null,
      error: null,
      nextAttemptAt: expect.any(String),
      createdAt: expect.any(String),
    });
  });
});

describe('POST …/test and …/replay', () => {
  it('200, and the run that delivers is woken', async () => {
    const test = await call('POST', `/webhook-endpoints/${endpointId}/test`);
    expect(test).toMatchObject({ status: 200, body: { ok: true, eventId: expect.any(String) } });
    const [delivery] = (await call('GET', deliveries())).json<Listed>();
    await db('webhook_deliveries').update({ status: 'failed', nextAttemptAt: null });
    const replayed = await call('POST', `${deliveries()}/${delivery?.id}/replay`);
    expect(replayed).toMatchObject({ status: 200, body: { id: delivery?.id, status: 'pending' } });
    expect(deliverEventsLater.mock.calls.map(([id]) => id)).toEqual([tenantId, tenantId]);
    expect((await call('GET', deliveries())).json<Listed>()).toHaveLength(3);
    expect((await call('POST', `${deliveries()}/${tenantId}/replay`)).status).toBe(404);
  });

  it('leaves an audit entry of each, once for a repeated key', async () => {
    const [delivery] = (await call('GET', deliveries())).json<Listed>();
    const headers = { 'idempotency-key': 'once' };
    const test = await call('POST', `/webhook-endpoints/${endpointId}/test`, headers);
    await call('POST', `/webhook-endpoints/${endpointId}/test`, headers);
    for (const id of [delivery?.id, delivery?.id, tenantId]) {
      await call('POST', `${deliveries()}/${id}/replay`, headers);
    }
    const of = {
      actorUserId: merchant.userId,
      targetType: 'endpoint',
      targetId: endpointId,
      tenantId,
      before: {},
    };
    const { eventId } = test.json<{ eventId: string }>();
    const entries = await db('audit_log').where({ targetId: endpointId }).orderBy('seq');
    expect(entries).toMatchObject([
      { ...of, action: 'endpoint.test', after: { eventId } },
      { ...of, action: 'endpoint.replay', after: { eventId: delivery?.eventId } },
    ]);
  });
});
