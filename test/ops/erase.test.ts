import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { byUser } from '../../db/audit-log.ts';
import * as erasures from '../../db/users/erasures.ts';
import { aTenant, aUser, aWallet } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { runOpsHere } from '../support/run-ops.ts';

const { db, url } = await useDatabase();
const ENCRYPTION_KEY = '00112233445566778899aabbccddeeff'.repeat(2);
const ops = (userId: string, env: Record<string, string> = {}) =>
  runOpsHere(['erase', userId], { DATABASE_URL: url, ENCRYPTION_KEY, ...env });

it('erases at once who asked for it, in a sandbox only', async () => {
  const userId = await aUser(db);
  await aWallet(db, { userId, tenantId: await aTenant(db), balance: 10 });
  expect(await ops(userId)).toMatchObject({ status: 1, err: expect.stringContaining('scheduled') });
  const asking = { userId, acting: byUser(userId, 'request'), reason: null, points: 0 };
  await db.transaction((tx) => erasures.request(tx, asking));
  const production = { ALPHA_ENVIRONMENT: 'production', BETA_ENVIRONMENT: 'sandbox' };
  expect(await ops(userId, production)).toMatchObject({
    status: 1,
    err: expect.stringContaining('ALPHA_ENVIRONMENT is production, BETA_ENVIRONMENT is sandbox'),
  });
  expect(await ops(userId)).toMatchObject({ status: 0, out: 'The user is erased.\n' });
  expect(await db('users').where({ id: userId }).first('email')).toEqual({ email: null });
  expect(await ops(userId)).toMatchObject({ status: 0 });
});

it('says whom it takes', async () => {
  expect(await ops('ada')).toMatchObject({ status: 2, err: expect.stringContaining('USER') });
  expect(await ops(randomUUID())).toMatchObject({ status: 1 });
});
