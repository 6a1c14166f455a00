import { expect, it } from 'vitest';
import { createErasureActivities } from '../../activities/erasures.ts';
import * as erasures from '../../db/users/erasures.ts';
import { createLogger } from '../../gateways/telemetry/logger.ts';
import { aTenant, aWallet, required, testPolicy, testSealer } from '../support/factories.ts';
import { useApp } from '../support/fixtures.ts';
import type { SignedIn } from '../support/http/app.ts';

const app = await useApp();
const { db, owner } = app;
const { eraseDue } = createErasureActivities({
  db,
  log: createLogger({ level: 'silent', service: 'test' }),
  contactProofs: testSealer.fingerprints,
  ingestPolicy: testPolicy,
});

/** A consumer who has asked to be erased. */
async function whoAsked(): Promise<SignedIn> {
  const person = await app.signIn({ role: 'consumer' });
  const body = { confirm: 'ERASE' };
  const call = { method: 'POST', path: '/api/v1/consumer/erasure', token: person.token, body };
  expect((await app.call(call)).status).toBe(202);
  return person;
}
const isDue = ({ userId }: SignedIn) =>
  db('erasures').where({ userId }).update({ beginsAt: db.fn.now() });

it('somebody is erased when the time has come, and not before', async () => {
  const ada = await whoAsked();
  expect(await eraseDue()).toBe(0);
  await isDue(ada);
  expect(await eraseDue()).toBe(1);
  expect(await eraseDue()).toBe(0);
});

it('it is judged again: who works at a till by then is not erased', async () => {
  const ada = await whoAsked();
  await isDue(ada);
  await db('users').where({ id: ada.userId }).update({ role: 'pos_operator' });
  expect(await eraseDue()).toBe(0);
  const { erasedAt } = required(await db('users').where({ id: ada.userId }).first());
  expect(erasedAt).toBeNull();
  expect(await erasures.find(db, ada.userId)).toBeUndefined();
});

it('goes on although one fails, which is tried again', async () => {
  const [ada, bob] = [await whoAsked(), await whoAsked()];
  const walletId = await aWallet(db, { tenantId: await aTenant(db), userId: ada.userId });
  await Promise.all([isDue(ada), isDue(bob)]);
  await owner.raw(`create function refuse_closing() returns trigger language plpgsql as $$
    begin raise exception 'not now'; end $$;
    create trigger refuse_closing before update on wallets for each row
    when (new.closed_at is not null) execute function refuse_closing()`);
  await expect(eraseDue()).rejects.toThrow('1 erasures failed');
  expect(await erasures.find(db, bob.userId)).toMatchObject({ doneAt: expect.any(Date) });
  await owner.raw('drop function refuse_closing cascade');
  expect(await eraseDue()).toBe(1);
  const { closedAt } = required(await db('wallets').where({ id: walletId }).first());
  expect(closedAt).not.toBeNull();
});
