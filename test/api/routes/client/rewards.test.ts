import { beforeEach, describe, expect, it } from 'vitest';
import type { TenantId, UserId } from '../../../../domain/ids.ts';
import { aReward, aTenant, required } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { nextPath } from '../../../support/http/app.ts';

const app = await useApp();
const { db } = app;

let tenantId: TenantId;
let token: string;
let userId: UserId;
let path: string;
beforeEach(async () => {
  tenantId = await aTenant(db);
  ({ token, userId } = await app.signIn({ role: 'client', member: tenantId }));
  path = `/api/v1/client/tenants/${tenantId}/rewards`;
});

const coffee = { name: 'A coffee', kind: 'item', pricePoints: 300, valueMinorUnits: 350, stock: 5 };
const publish = (body: unknown) => app.call({ method: 'POST', path, token, body });
const end = (id: string) => app.call({ method: 'POST', path: `${path}/${id}/end`, token });
const listed = async (query = '') =>
  (await app.call({ path: `${path}${query}`, token })).json<{ id: string }[]>();

describe('POST /client/tenants/:tenantId/rewards', () => {
  it('201 with every field, in the list and in the audit log', async () => {
    const { status, body } = await publish(coffee);
    expect(status).toBe(201);
    expect(body).toEqual({
      ...coffee,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      endsAt: null,
      left: 5,
      taken: 0,
      status: 'offered',
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(await listed()).toEqual([body]);
    expect(await db('audit_log').where({ tenantId }).first()).toMatchObject({
      action: 'reward.publish',
      actorUserId: userId,
      before: {},
      after: { ...coffee, endsAt: null },
    });
  });

  it('400 too_generous, and 422 too_many_rewards beyond fifty that have not ended', async () => {
    const generous = await publish({ ...coffee, valueMinorUnits: 3_001 });
    expect(generous).toMatchObject({ status: 400, body: { issues: [{ code: 'too_generous' }] } });
    const first = await aReward(db, tenantId);
    for (let nth = 1; nth < 50; nth++) await aReward(db, tenantId);
    expect(await publish(coffee)).toMatchObject({
      status: 422,
      body: { issues: [{ code: 'too_many_rewards', params: { max: 50 } }] },
    });
    await end(first);
    expect((await publish(coffee)).status).toBe(201);
  });
});

describe('GET /client/tenants/:tenantId/rewards', () => {
  it('lists the newest first, page by page', async () => {
    const ids = [await aReward(db, tenantId), await aReward(db, tenantId)];
    await aReward(db, await aTenant(db));
    expect((await listed()).map(({ id }) => id)).toEqual(ids.toReversed());
    const first = await app.call({ path: `${path}?limit=1`, token });
    const second = await app.call({ path: required(nextPath(first)), token });
    expect(second.json<{ id: string }[]>().map(({ id }) => id)).toEqual([ids[0]]);
  });
});

describe('POST /client/tenants/:tenantId/rewards/:rewardId/end', () => {
  it('200 once and again, with one entry; 404 for another shop’s', async () => {
    const id = await aReward(db, tenantId);
    const ended = await end(id);
    expect(ended).toMatchObject({ status: 200, body: { id, status: 'ended' } });
    expect((await end(id)).body).toEqual(ended.body);
    expect(await db('audit_log').where({ tenantId, action: 'reward.end' })).toHaveLength(1);
    expect((await end(await aReward(db, await aTenant(db)))).status).toBe(404);
  });
});
