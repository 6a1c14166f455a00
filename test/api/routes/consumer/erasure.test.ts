import { beforeEach, describe, expect, it } from 'vitest';
import { doWork } from '../../../../activities/due-work/worker.ts';
import { tellOfChange } from '../../../../activities/told-changes.ts';
import { numberOf } from '../../../../db/users/members.ts';
import type { Mail } from '../../../../gateways/mail/mailer.ts';
import { createLogger } from '../../../../gateways/telemetry/logger.ts';
import { aTenant } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import type { SignedIn } from '../../../support/http/app.ts';
import { activityDeps } from '../../../support/temporal/activity-deps.ts';

const app = await useApp();
const { db } = app;
const PATH = '/api/v1/consumer/erasure';
const HOUR_MS = 3_600_000;

let mails: Mail[];
let ada: SignedIn;
beforeEach(async () => {
  mails = [];
  await db('due_work').delete();
  ada = await app.signIn({ role: 'consumer', email: 'ada@example.com' });
});

const ask = (token = ada.token, body: unknown = { confirm: 'ERASE' }) =>
  app.call({ method: 'POST', path: PATH, token, body });
const show = (token = ada.token) => app.call({ path: PATH, token });
const withdraw = (token = ada.token) => app.call({ method: 'DELETE', path: PATH, token });
const tell = () => {
  const mailer = {
    send: async (mail: Mail) => void mails.push(mail),
    close: async () => {},
  };
  const log = createLogger({ level: 'silent', service: 'test' });
  return doWork({ db, log }, tellOfChange(activityDeps(db, { mailer })));
};
const notErasable = {
  status: 422,
  body: { code: 'RULE_REJECTED', issues: [{ code: 'not_erasable' }] },
};

describe('somebody who wants to be erased', () => {
  it('is in 72 hours, and is told when', async () => {
    const asked = await ask();
    expect(asked).toMatchObject({ status: 202, body: { status: 'scheduled' } });
    const { at } = asked.json<{ at: string }>();
    const hours = (Date.parse(at) - Date.now()) / HOUR_MS;
    expect(hours).toBeGreaterThan(71.9);
    expect(hours).toBeLessThanOrEqual(72);
    expect(await ask()).toMatchObject({ status: 200, body: asked.body });
    expect(await show()).toMatchObject({ status: 200, body: asked.body });

    await tell();
    expect(mails).toMatchObject([
      { to: 'ada@example.com', subject: 'Your account will be erased' },
    ]);
    expect(mails[0]?.text).toContain('https://app.shop.example/wallet');
    await tell();
    expect(mails).toHaveLength(1);
  });

  it('can change their mind, and ask again', async () => {
    const { erasureId } = (await ask()).json<{ erasureId: string }>();
    const { status, body } = await withdraw();
    expect({ status, body }).toEqual({
      status: 200,
      body: { ok: true, erasureId, status: 'withdrawn' },
    });
    expect(await show()).toMatchObject({ status: 404 });
    expect(await withdraw()).toMatchObject({ status: 404 });
    expect(await ask()).toMatchObject({ status: 202 });
    await tell();
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      'Your account stays',
      'Your account will be erased',
      'Your account will be erased',
    ]);
  });

  it('goes on using the service meanwhile', async () => {
    await ask();
    expect(await numberOf(db, ada.userId)).toHaveLength(12);
    const { status } = await app.call({ path: '/api/v1/consumer/wallets', token: ada.token });
    expect(status).toBe(200);
  });

  it('cannot withdraw what has begun', async () => {
    await ask();
    await db('erasures').where({ userId: ada.userId }).update({ begunAt: db.fn.now() });
    expect(await withdraw()).toMatchObject({ status: 404 });
  });

  it.each([{}, { confirm: 'erase' }, { confirm: true }])('has to say so: not %o', async (body) => {
    expect(await ask(ada.token, body)).toMatchObject({ status: 400 });
    expect(await show()).toMatchObject({ status: 404 });
  });
});

describe('somebody who works at a till', () => {
  it('is erased by an administrator only, also for 90 days after that', async () => {
    const tenantId = await aTenant(db);
    const ben = await app.signIn({ role: 'pos_operator', member: tenantId });
    expect(await ask(ben.token)).toMatchObject(notErasable);
    await db('memberships').where({ userId: ben.userId }).delete();
    await db('users').where({ id: ben.userId }).update({ role: 'consumer' });
    const removedAt = new Date(Date.now() - 89 * 24 * HOUR_MS);
    await db('operator_removals').insert({ tenantId, userId: ben.userId, removedAt });
    expect(await ask(ben.token)).toMatchObject(notErasable);
    await db('operator_removals').update({ removedAt: new Date(Date.now() - 91 * 24 * HOUR_MS) });
    expect(await ask(ben.token)).toMatchObject({ status: 202 });
  });
});
