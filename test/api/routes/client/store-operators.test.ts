import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { encodeCursor } from '../../../../api/http/replies/pagination.ts';
import type { TenantId } from '../../../../domain/ids.ts';
import { aTenant } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { nextPath, type SignedIn } from '../../../support/http/app.ts';

const app = await useApp();

let tenantId: TenantId;
let token: string;
let path: string;
beforeEach(async () => {
  tenantId = await aTenant(app.db);
  token = (await app.signIn({ role: 'client', member: tenantId })).token;
  path = `/api/v1/client/tenants/${tenantId}/store-operators`;
});

const anOperator = (of = tenantId): Promise<SignedIn> =>
  app.signIn({ role: 'pos_operator', email: `${randomUUID()}@example.com`, member: of });
const list = (query = '') => app.call({ path: `${path}${query}`, token });
const remove = (userId: string) => app.call({ method: 'DELETE', path: `${path}/${userId}`, token });
const me = async (of: string) => (await app.call({ path: '/api/v1/auth/me', token: of })).body;

describe('GET …/store-operators', () => {
  it('200 with the operators of this tenant, newest first, without the merchant', async () => {
    expect((await list()).body).toEqual([]);
    const operators = [await anOperator(), await anOperator()];
    await anOperator(await aTenant(app.db));
    await app.db('users').where({ id: operators[0]?.userId }).update({ name: 'George Boole' });
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toEqual(
      operators.toReversed().map(({ userId }, nth) => ({
        userId,
        email: expect.stringMatching(/^[0-9a-f-]+@example\.com$/),
        name: nth === 1 ? 'George Boole' : null,
        joinedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        attached30Days: 0,
      })),
    );
  });

  it('200 page by page', async () => {
    const joined: string[] = [];
    for (let n = 0; n < 5; n++) joined.unshift((await anOperator()).userId);
    const found: string[] = [];
    for (let next: string | undefined = `${path}?limit=2`; next !== undefined; ) {
      const answer = await app.call({ path: next, token });
      const items = answer.json<{ userId: string }[]>();
      expect(items.length).toBeLessThanOrEqual(2);
      found.push(...items.map(({ userId }) => userId));
      next = nextPath(answer);
    }
    expect(found).toEqual(joined);
  });

  it.each([
    ['of another list', ['version', '1']],
    ['without a user', ['operator', '1']],
    ['with a time out of range', ['operator', '9e18', randomUUID()]],
    ['with an invalid time', ['operator', 'soon', randomUUID()]],
  ])('400 VALIDATION_ERROR for a cursor %s', async (_, position) => {
    expect(await list(`?cursor=${encodeCursor(position)}`)).toMatchObject({ status: 400 });
  });
});

describe('DELETE …/store-operators/:userId', () => {
  it('200, and the person is a consumer without this tenant at once', async () => {
    const operator = await anOperator();
    expect(await me(operator.token)).toMatchObject({ role: 'pos_operator', tenantIds: [tenantId] });
    expect(await remove(operator.userId)).toMatchObject({
      status: 200,
      body: { ok: true, userId: operator.userId },
    });
    expect(await me(operator.token)).toMatchObject({
      role: 'consumer',
      status: 'active',
      tenantIds: [],
    });
    const context = await app.call({ path: '/api/v1/pos/context', token: operator.token });
    expect(context).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_ROLE' } });
    expect((await list()).body).toEqual([]);
  });

  it('200 for repeats, even at once', async () => {
    const { userId } = await anOperator();
    const answers = await Promise.all([remove(userId), remove(userId), remove(userId)]);
    expect([...answers, await remove(userId)].map(({ status }) => status)).toEqual(
      Array(4).fill(200),
    );
  });

  it('200, and an operator of another tenant keeps the role', async () => {
    const operator = await anOperator();
    const other = await aTenant(app.db);
    await app
      .db('memberships')
      .insert({ tenantId: other, userId: operator.userId, role: 'pos_operator' });
    await remove(operator.userId);
    expect(await me(operator.token)).toMatchObject({ role: 'pos_operator', tenantIds: [other] });
  });

  it('404 NOT_FOUND for an unknown user, a consumer and another tenant’s operator', async () => {
    const elsewhere = await anOperator(await aTenant(app.db));
    const consumer = await app.signIn({ role: 'consumer' });
    for (const userId of [randomUUID(), 'nobody', consumer.userId, elsewhere.userId]) {
      expect(await remove(userId)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
    expect(await me(elsewhere.token)).toMatchObject({ role: 'pos_operator' });
  });

  it('404 NOT_FOUND for the merchant', async () => {
    const merchant = await app.signIn({ role: 'client', member: tenantId });
    expect((await remove(merchant.userId)).status).toBe(404);
    expect(await me(merchant.token)).toMatchObject({ role: 'client', tenantIds: [tenantId] });
  });
});
