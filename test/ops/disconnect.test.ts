import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { anAlphaConnection, aTenant } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { runOpsHere } from '../support/run-ops.ts';

const { db, url } = await useDatabase();
const ops = (...args: string[]) => runOpsHere(args, { DATABASE_URL: url });

it('ends a connection once, has its token revoked, and records who and why', async () => {
  const tenantId = await aTenant(db);
  await anAlphaConnection(db, { tenantId, merchantId: 'M1' });
  const { id } = await db('pos_connections').where({ tenantId }).first<{ id: string }>('id');
  const run = () => ops('connection', 'disconnect', id, '--reason', 'its token has leaked');
  expect(await run()).toMatchObject({ status: 0, err: '', out: expect.stringContaining('M1 is') });
  expect(await db('pos_connections').where({ id }).first('status')).toEqual({
    status: 'disconnected',
  });
  expect(await db('due_work').where({ kind: 'revoke_authorization' })).toHaveLength(1);

  expect(await run()).toMatchObject({ status: 0, out: expect.stringContaining('already') });
  expect(await db('audit_log').where({ tenantId })).toMatchObject([
    {
      actor: 'ops',
      action: 'connection.disconnect',
      targetType: 'connection',
      targetId: id,
      reason: 'its token has leaked',
      before: { provider: 'alpha', merchantId: 'M1', status: 'active' },
      after: { provider: 'alpha', merchantId: 'M1', status: 'disconnected' },
    },
  ]);
});

it('asks for a reason, and for a connection that is there', async () => {
  const id = randomUUID();
  for (const reason of [[], ['--reason', ' ']]) {
    const { status, err } = await ops('connection', 'disconnect', id, ...reason);
    expect({ status, err }).toMatchObject({ status: 2, err: expect.stringContaining('--reason') });
  }
  const { status, err } = await ops('connection', 'disconnect', id, '--reason', 'x');
  expect({ status, err }).toEqual({ status: 1, err: 'There is no such connection.\n' });
});
