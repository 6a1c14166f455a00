import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as following from '../../../db/redemptions/following.ts';
import * as lifecycle from '../../../db/redemptions/lifecycle.ts';
import { markCodesMailed, markExpiriesMailed } from '../../../db/redemptions/mails.ts';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import { RedemptionId } from '../../../domain/ids.ts';
import { aUser } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import {
  aRedemption,
  expiresIn,
  type Issued,
  testCodes,
} from '../../support/points/redemptions.ts';

const database = await useDatabase();
const { db } = database;
beforeEach(async () => {
  // Closes what earlier tests left open.
  await db.raw(`update redemptions set followed_at = now(), expiry_told_at = now()`);
  await lifecycle.expireOverdue(db, 'refund', 1000);
});

const batchOf = (issued: readonly Issued[], runId = randomUUID()) => ({
  runId,
  ids: issued.map(({ id }) => id),
});
const burn = (issued: Issued) =>
  db.transaction(async (tx) =>
    redemptions.burn(tx, {
      tenantId: issued.tenantId,
      hmacs: testCodes.hmacsOf(issued.code),
      operatorId: await aUser(tx),
    }),
  );
const silentFor = (ids: readonly RedemptionId[], seconds: number) =>
  db.raw(
    `update redemptions set followed_at = now() - make_interval(secs => ?) where id = any(?)`,
    [seconds, [...ids]],
  );

describe('follow', () => {
  it('returns how far the redemptions are, and the same when it is repeated', async () => {
    const [used, overdue, open] = [
      await aRedemption(db),
      await aRedemption(db),
      await aRedemption(db),
    ];
    await burn(used);
    await expiresIn(db, [overdue.id], -1);
    await lifecycle.expireOne(db, overdue.id, 'refund');
    await expiresIn(db, [open.id], 60);
    const batch = batchOf([used, overdue, open]);
    for (let time = 0; time < 2; time++) {
      const progress = await following.follow(db, batch);
      expect(progress).toMatchObject({ open: 1, used: 1, expired: 1, uninformed: 1 });
      expect(progress.lastExpiryInMs).toBeGreaterThan(50_000);
      expect(progress.nextExpiryInMs).toBe(progress.lastExpiryInMs);
    }
    const rows = await db('redemptions').whereIn('id', batch.ids).select('followedBy');
    expect(rows).toEqual(Array.from({ length: 3 }, () => ({ followedBy: batch.runId })));
  });

  it('leaves to another run what that run follows, and each to one run in a race', async () => {
    const issued = await Promise.all(Array.from({ length: 20 }, () => aRedemption(db)));
    const first = batchOf(issued.slice(0, 15));
    const second = batchOf(issued.slice(5).reverse());
    const [one, other] = await Promise.all([
      following.follow(db, first),
      following.follow(db, second),
    ]);
    expect(one.open + other.open).toBe(20);
    expect(await following.findBatchProgress(db, first)).toMatchObject({ open: one.open });
    const late = await following.follow(db, batchOf(issued));
    expect(late).toEqual({
      open: 0,
      used: 0,
      expired: 0,
      uninformed: 0,
      nextExpiryInMs: 0,
      lastExpiryInMs: 0,
    });
  });

  it('leaves what another run follows, and ignores what is unknown', async () => {
    const issued = await aRedemption(db);
    await following.follow(db, { runId: randomUUID(), ids: [issued.id] });
    const ids = [issued.id, RedemptionId.parse(randomUUID())];
    expect(await following.follow(db, { runId: randomUUID(), ids })).toMatchObject({ open: 0 });
  });

  it('takes over owners to be informed once their run is silent', async () => {
    const issued = await aRedemption(db);
    const [batch, later] = [batchOf([issued]), batchOf([issued])];
    await following.follow(db, batch);
    await expiresIn(db, batch.ids, -1);
    await lifecycle.expireGiven(db, 'refund', batch.ids);
    expect(await following.follow(db, later)).toMatchObject({ uninformed: 0 });
    await silentFor(batch.ids, 880);
    expect(await following.follow(db, later)).toMatchObject({ uninformed: 0 });
    await silentFor(batch.ids, 920);
    expect(await following.follow(db, later)).toMatchObject({ expired: 1, uninformed: 1 });
    expect(await following.findBatchProgress(db, batch)).toMatchObject({ uninformed: 0 });
  });

  it('takes over no code that may still be mailed by its run', async () => {
    const issued = await aRedemption(db);
    await following.follow(db, batchOf([issued]));
    await silentFor([issued.id], 170);
    expect(await following.follow(db, batchOf([issued]))).toMatchObject({ open: 0 });
  });
});

describe('findBatchProgress', () => {
  it('returns the next expiries together when they are within a second', async () => {
    const [one, two, three] = [await aRedemption(db), await aRedemption(db), await aRedemption(db)];
    const batch = batchOf([one, two, three]);
    await following.follow(db, batch);
    await expiresIn(db, [one.id], 100);
    await expiresIn(db, [two.id], 100.5);
    await expiresIn(db, [three.id], 300);
    const progress = await following.findBatchProgress(db, batch);
    expect(progress.open).toBe(3);
    expect(progress.nextExpiryInMs).toBeGreaterThan(100_000 - 20_000);
    expect(progress.nextExpiryInMs).toBeLessThanOrEqual(100_500);
    expect(progress.lastExpiryInMs).toBeGreaterThan(progress.nextExpiryInMs + 199_000);
  });

  it('counts no code as open that could not be expired', async () => {
    const issued = await aRedemption(db);
    const batch = batchOf([issued]);
    await following.follow(db, batch);
    await lifecycle.recordFailedExpiry(db, issued.id);
    const progress = await following.findBatchProgress(db, batch);
    expect(progress).toMatchObject({ open: 0, used: 0, expired: 0 });
  });
});

describe('renewFollowing', () => {
  it('keeps owners to be informed with their run', async () => {
    const issued = await aRedemption(db);
    const batch = batchOf([issued]);
    await following.follow(db, batch);
    await expiresIn(db, batch.ids, -1);
    await lifecycle.expireGiven(db, 'refund', batch.ids);
    await silentFor(batch.ids, 920);
    await following.renewFollowing(db, { ...batch, runId: randomUUID() });
    await following.renewFollowing(db, batch);
    expect(await following.follow(db, batchOf([issued]))).toMatchObject({ uninformed: 0 });
  });
});

describe('listUnfollowed', () => {
  const age = (id: RedemptionId, by = '3 minutes') =>
    db.raw('update redemptions set created_at = created_at - ?::interval where id = ?', [by, id]);
  const listed = async () =>
    (await following.listUnfollowed(db, { after: null, limit: 100 })).map(({ id }) => id);

  it('lists redemptions that were never followed, but leaves new ones to the API', async () => {
    const [left, young] = [await aRedemption(db), await aRedemption(db)];
    // In a backlog the API takes a while to start a run.
    await age(left.id, '90 seconds');
    expect(await listed()).toEqual([]);
    await age(left.id, '1 minute');
    expect(await listed()).toEqual([left.id]);
    await following.follow(db, { runId: randomUUID(), ids: [left.id] });
    expect(await listed()).toEqual([]);
    await age(young.id);
    expect(await following.listUnfollowed(db, { after: null, limit: 1 })).toEqual([
      { id: young.id, tenantId: young.tenantId },
    ]);
    expect(await following.listUnfollowed(db, { after: young.id, limit: 1 })).toEqual([]);
  });

  it('leaves out a used redemption, which needs no run', async () => {
    const issued = await aRedemption(db);
    await age(issued.id);
    await burn(issued);
    expect(await listed()).toEqual([]);
  });

  it('lists an expired redemption whose owner was not told, for a day', async () => {
    const { id } = await aRedemption(db);
    await following.follow(db, { runId: randomUUID(), ids: [id] });
    await expiresIn(db, [id], -60);
    await lifecycle.expireOne(db, id, 'refund');
    expect(await listed()).toEqual([]);
    const expiredBefore = (interval: string) =>
      database.owner.raw(
        `alter table redemptions disable trigger redemptions_close_once;
         update redemptions set expires_at = now() - interval '2 days',
           created_at = now() - interval '3 days',
           expired_at = now() - interval '${interval}' where id = '${id}';
         alter table redemptions enable trigger redemptions_close_once`,
      );
    await expiredBefore('3 minutes');
    // Its run may be informing the owner.
    expect(await listed()).toEqual([]);
    await silentFor([id], 920);
    expect(await listed()).toEqual([id]);
    await expiredBefore('25 hours');
    expect(await listed()).toEqual([]);
    await expiredBefore('3 minutes');
    await markExpiriesMailed(db, [id]);
    expect(await listed()).toEqual([]);
  });

  it('lists a code whose mail its run has left, which another run then follows', async () => {
    const [left, mailed, young] = [
      await aRedemption(db),
      await aRedemption(db),
      await aRedemption(db),
    ];
    const lost = batchOf([left, mailed, young]);
    await following.follow(db, lost);
    await markCodesMailed(db, [mailed.id]);
    await silentFor([left.id, mailed.id], 181);
    expect(await listed()).toEqual([left.id]);
    await following.renewFollowing(db, lost);
    expect(await listed()).toEqual([]);
    await silentFor([left.id], 181);
    const next = batchOf([left]);
    await following.follow(db, next);
    expect(await db('redemptions').where({ id: left.id }).first()).toMatchObject({
      followedBy: next.runId,
    });
    expect(await listed()).toEqual([]);
  });
});
