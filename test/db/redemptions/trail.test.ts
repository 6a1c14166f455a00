import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { follow } from '../../../db/redemptions/following.ts';
import * as lifecycle from '../../../db/redemptions/lifecycle.ts';
import { getRedemption } from '../../../db/redemptions/trail.ts';
import { RedemptionId } from '../../../domain/ids.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aRedemption } from '../../support/points/redemptions.ts';

const database = await useDatabase();
const { db } = database;

it('returns what happened to a redemption, and who follows it, without its code', async () => {
  const { id, tenantId, walletId, code } = await aRedemption(db);
  const runId = randomUUID();
  await follow(db, { runId, ids: [id] });
  const trail = await getRedemption(db, id);
  expect(trail).toMatchObject({ id, tenantId, walletId, status: 'issued', followedBy: runId });
  expect(trail.followedAt).not.toBeNull();
  expect(JSON.stringify(trail)).not.toContain(code);
  expect(trail).not.toHaveProperty('codeHmac');
});

it('says when its consumer cancelled it', async () => {
  const issued = await aRedemption(db);
  await db.transaction((tx) => lifecycle.cancel(tx, issued));
  const { status, expiredAt, cancelledAt, expiryToldAt } = await getRedemption(db, issued.id);
  expect(status).toBe('expired');
  expect(cancelledAt).not.toBeNull();
  expect([expiredAt, expiryToldAt]).toEqual([cancelledAt, cancelledAt]);
});

it('throws NOT_FOUND for an unknown one', async () => {
  const unknown = RedemptionId.parse(randomUUID());
  await expect(getRedemption(db, unknown)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
