import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { byUser } from '../../../db/audit-log.ts';
import * as decisions from '../../../db/users/invite-decisions.ts';
import * as invites from '../../../db/users/invites.ts';
import { InviteId, type TenantId, type UserId } from '../../../domain/ids.ts';
import { aTenant, aUser } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { anInvite, lapse, statusOf } from '../../support/people/invites.ts';

const database = await useDatabase();
const { db } = database;

let tenantId: TenantId;
let invitedBy: UserId;
let email: string;
beforeEach(async () => {
  invitedBy = await aUser(db, { role: 'client' });
  tenantId = await aTenant(db, { ownerId: invitedBy });
  email = `${randomUUID()}@example.com`;
});

const invite = (to = tenantId) =>
  db.transaction((tx) =>
    invites.create(tx, { tenantId: to, email, emailStatus: 'sent', invitedBy }),
  );

describe('create', () => {
  it('returns the person’s open invite, but not one of another tenant', async () => {
    const first = await invite();
    expect(first).toMatchObject({ tenantId, email, status: 'pending', emailStatus: 'sent' });
    expect(await invite()).toEqual(first);
    expect(await invites.findOpen(db, tenantId, email)).toEqual(first);
    expect((await invite(await aTenant(db))).id).not.toBe(first.id);
  });

  it('creates one invite when twenty calls run at once', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => invite()));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  });

  it('creates a new invite once the last one was withdrawn', async () => {
    const first = await invite();
    await invites.withdraw(db, tenantId, first.id);
    expect(await invites.findOpen(db, tenantId, email)).toBeUndefined();
    expect((await invite()).id).not.toBe(first.id);
    expect(await statusOf(db, first)).toBe('withdrawn');
  });

  it('replaces an invite that has lapsed, after 30 days', async () => {
    const first = await invite();
    const { rows } = await db.raw(
      `select lapses_at - created_at = interval '30 days' as whole from invites where id = ?`,
      [first.id],
    );
    expect(rows).toEqual([{ whole: true }]);
    await lapse(db, first);
    expect(await invites.findOpen(db, tenantId, email)).toBeUndefined();
    expect((await invite()).id).not.toBe(first.id);
    expect(await statusOf(db, first)).toBe('lapsed');
  });
});

describe('useOf', () => {
  it('counts open ones, and all of the last hour with the time until one leaves it', async () => {
    expect(await invites.useOf(db, tenantId)).toMatchObject({ open: 0, lastHour: 0 });
    const taken = await anInvite(db, { tenantId, secondsAgo: 3_000 });
    await invites.withdraw(db, tenantId, taken.id);
    await anInvite(db, { tenantId, secondsAgo: 3_601 });
    await lapse(db, await anInvite(db, { tenantId, secondsAgo: 10 }));
    await anInvite(db);
    const use = await invites.useOf(db, tenantId);
    expect(use).toMatchObject({ open: 1, lastHour: 2 });
    expect(use.secondsToWait).toBeGreaterThan(590);
    expect(use.secondsToWait).toBeLessThanOrEqual(600);
  });

  it('is exact for the transactions that hold the lock of the tenant', async () => {
    const counted = await Promise.all(
      Array.from({ length: 10 }, () =>
        db.transaction(async (tx) => {
          await invites.lockTenant(tx, tenantId);
          const { lastHour } = await invites.useOf(tx, tenantId);
          const to = `${randomUUID()}@example.com`;
          await invites.create(tx, { tenantId, email: to, emailStatus: 'sent', invitedBy });
          return lastHour;
        }),
      ),
    );
    expect(counted.sort((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

describe('withdraw', () => {
  it('withdraws an invite, and changes nothing the second time', async () => {
    const { id } = await invite();
    await invites.withdraw(db, tenantId, id);
    const row = () => db('invites').where({ id }).first();
    const once = await row();
    await invites.withdraw(db, tenantId, id);
    expect(once).toMatchObject({ status: 'withdrawn', closedAt: expect.any(Date) });
    expect(await row()).toEqual(once);
  });

  it('NOT_FOUND for an unknown one, another tenant’s, a lapsed and an accepted one', async () => {
    const made = await invite();
    const withdrawing = (id: InviteId, of = tenantId) =>
      expect(invites.withdraw(db, of, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await withdrawing(InviteId.parse(randomUUID()));
    await withdrawing(made.id, await aTenant(db));
    const userId = await aUser(db, { email });
    await db.transaction((tx) =>
      decisions.accept(tx, { userId, inviteId: made.id, by: byUser(userId, 'test') }),
    );
    await withdrawing(made.id);
    expect(await statusOf(db, made)).toBe('accepted');
    const old = await anInvite(db, { tenantId });
    await lapse(db, old);
    await withdrawing(old.id);
  });
});

describe('listOpen', () => {
  it('lists only open invites of this tenant, newest first, page by page', async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n++) {
      email = `${randomUUID()}@example.com`;
      made.unshift((await invite()).id);
    }
    await invite(await aTenant(db));
    await lapse(db, await anInvite(db, { tenantId }));
    await invites.withdraw(db, tenantId, InviteId.parse(made.splice(2, 1)[0]));
    const first = await invites.listOpen(db, tenantId, { limit: 2 });
    const after = first.at(-1)?.id;
    const rest = await invites.listOpen(db, tenantId, { limit: 9, after });
    expect([...first, ...rest].map(({ id }) => id)).toEqual(made);
    expect(await invites.listOpen(db, await aTenant(db), { limit: 9, after })).toEqual([]);
  });
});
