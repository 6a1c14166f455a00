import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { aTenant } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';

const app = await useApp();

const Line = z.looseObject({ event: z.string().optional() });
/** The access line of a request with that correlation id. */
const lineOf = (correlationId: string) =>
  app.log
    .map((text) => Line.parse(JSON.parse(text)))
    .filter((line) => line.event === 'request_served' && line.correlationId === correlationId)
    .at(-1);

it('names the user and the tenant by their ids, on refused requests too', async () => {
  const [own, foreign] = [await aTenant(app.db), await aTenant(app.db)];
  const { token, userId } = await app.signIn({ role: 'client', member: own });
  for (const [tenantId, status] of [
    [own, 200],
    [foreign, 403],
    [randomUUID(), 404],
  ] as const) {
    const correlationId = randomUUID();
    const path = `/api/v1/client/tenants/${tenantId.toUpperCase()}`;
    await app.call({ path, token, headers: { 'x-correlation-id': correlationId } });
    expect(lineOf(correlationId)).toMatchObject({
      method: 'GET',
      route: '/api/v1/client/tenants/:tenantId',
      status,
      userId,
      tenantId,
    });
  }
});

it('names nobody without a token, and holds nothing that was sent', async () => {
  const correlationId = randomUUID();
  const path = '/api/v1/client/tenants/anything/onboarding?secret=query';
  const headers = { 'x-correlation-id': correlationId };
  await app.call({ method: 'PATCH', path, body: { businessName: 'a secret name' }, headers });
  const line = lineOf(correlationId);
  expect(line).toMatchObject({ status: 401 });
  expect(line).not.toHaveProperty('userId');
  expect(line).not.toHaveProperty('tenantId');
  expect(JSON.stringify(line)).not.toMatch(/secret|anything/);
});

it('has an id of our own beside the one that the caller chose', async () => {
  const headers = { 'x-correlation-id': 'somebody-elses' };
  const ids = new Set<unknown>();
  for (let nth = 0; nth < 3; nth++) {
    await app.call({ path: '/api/v1/auth/me', headers });
    ids.add(lineOf('somebody-elses')?.requestId);
  }
  expect(ids.size).toBe(3);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);

  const answer = await app.call({ path: '/api/v1/auth/me' });
  const given = answer.headers.get('x-correlation-id') ?? '';
  expect(lineOf(given)?.requestId).toBe(given);
});

it('says whom an administrator looked at, and nothing that is no id', async () => {
  const { token, userId } = await app.signIn({ role: 'admin' });
  const person = await app.signIn({ role: 'consumer' });
  const ask = async (path: string, by = token) => {
    const correlationId = randomUUID();
    const headers = { 'x-correlation-id': correlationId };
    await app.call({ path: `/api/v1/admin/${path}`, token: by, headers });
    return lineOf(correlationId);
  };
  expect(await ask(`users/${person.userId.toUpperCase()}`)).toMatchObject({
    route: '/api/v1/admin/users/:userId',
    path: `/api/v1/admin/users/${person.userId}`,
    userId,
  });
  const search = await ask('users/search?q=ada@example.com');
  expect(search).toMatchObject({ path: '/api/v1/admin/users/search' });
  expect(JSON.stringify(search)).not.toContain('ada@');
  expect(await ask('users/ada@example.com')).not.toHaveProperty('path');
  expect(await ask(`users/${userId}`, person.token)).not.toHaveProperty('path');
});
